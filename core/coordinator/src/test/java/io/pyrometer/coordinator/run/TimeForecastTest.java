package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.MachineReading;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The time left is right within 30 % once a block is done, on machines unlike the plan's. */
class TimeForecastTest extends RunFixture {
  private static final Percentage WITHIN = Percentage.withPercentage(30);

  /** The last seconds depend on the one trial that is left. */
  private static final double END = 15;

  private void slow(String process, Class<? extends Command> command, double seconds) {
    run.grid()
        .on(
            process,
            command,
            (it, told) -> {
              run.time().sleep(Duration.ofMillis((long) (1_000 * seconds)));
              return Optional.of(new Answer.Done());
            });
  }

  private void assertForecastsHoldAfterTheFirstBlock() {
    double end = run.time().seconds();
    int judged = 0;
    for (int i = 0; i < run.nows().size(); i++) {
      double told = run.nowSeconds().get(i);
      double left = end - told;
      if (told >= run.firstBlockSeconds() && left > END) {
        judged++;
        assertThat(run.nows().get(i).secondsLeft())
            .as(
                "%s, %s, told after %.1f s",
                run.nows().get(i).what(), run.nows().get(i).phase(), told)
            .isCloseTo(left, WITHIN);
      }
    }
    assertThat(judged).isGreaterThan(20);
  }

  @Test
  void onAMachineOnWhichServersStartSlowly() {
    slow("node-0", Command.AwaitServers.class, 40);
    run.run(FakeRun.blocksOf(6, "put", "put-all"));
    assertForecastsHoldAfterTheFirstBlock();
  }

  @Test
  void whereEveryBlockHasADisturbedTrialThatIsRepeated() {
    run.machine(this::throttledInEveryFifthTrial);
    run.run(FakeRun.blocksOf(8, "put", "put-all", "streamer"));
    assertThat(run.nows()).anyMatch(now -> now.what().contains("attempt 2"));
    assertForecastsHoldAfterTheFirstBlock();
  }

  private MachineReading throttledInEveryFifthTrial() {
    long trials = run.grid().told(Command.Measure.class).size();
    MachineReading.Throttled throttled = new MachineReading.Throttled(3 * (trials / 5), 0);
    return run.reading(Optional.empty(), Optional.of(throttled));
  }

  @Test
  void aRunOfOneBlockIsForecastFromThePlan() {
    List<Group> groups = FakeRun.blocksOf(1, "put");
    run.run(groups);
    assertThat(run.nows().get(0).secondsLeft())
        .isCloseTo(Plan.estimatedSeconds(groups.get(0)), within(1e-9));
    assertThat(run.nows().get(run.nows().size() - 1).secondsLeft()).isCloseTo(0, within(END));
  }
}
