package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadOnceTest {
  private static final Settings ONCE =
      FakeRun.settings("put")
          .with("keys", "once")
          .with("records", 7_500)
          .with("warm-up", 30.0)
          .with("measure", 1.0)
          .with("drain-timeout", 5.0);

  @TempDir Path runs;
  private FakeRun run;

  @BeforeEach
  void newRun() {
    run = new FakeRun(runs);
    run.grid().rate(trial -> 1_000);
  }

  private TrialRecord trial(Settings settings) {
    return run.run(FakeRun.groupOf("put", settings)).get(0);
  }

  @Test
  void lastsUntilAllIsWrittenAndHasNoWarmUp() {
    TrialRecord made = trial(ONCE.with("common-warm-up", 0.0));
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    assertThat(made.value(Metric.LOADED))
        .hasValueSatisfying(s -> assertThat(s).isBetween(7.4, 8.0));
    assertThat(made.timeline().warmUp().settled()).isTrue();
    assertThat(made.timeline().measuredFrom()).isZero();
    assertThat(run.grid().order()).noneMatch(told -> told.endsWith("Measure"));
  }

  @Test
  void oneThatStopsHalfWayFails() {
    AtomicInteger tenths = new AtomicInteger();
    run.grid().samples(() -> tenths.getAndIncrement() < 30 ? 100 : 0);
    TrialRecord made = trial(ONCE.with("common-warm-up", 0.0));
    assertThat(made.outcome()).isEqualTo(Outcome.FAILED);
  }

  @Test
  void oneWithAFailedCallIsNoLoad() {
    run.grid()
        .answers(
            "agent-0",
            Command.Finish.class,
            0,
            9,
            FakeGrid.finished(7.5, 7_499, 1, Optional.empty()));
    TrialRecord made = trial(ONCE.with("common-warm-up", 0.0));
    assertThat(made.outcome()).isEqualTo(Outcome.WRONG);
    assertThat(made.throughput()).isEmpty();
  }
}
