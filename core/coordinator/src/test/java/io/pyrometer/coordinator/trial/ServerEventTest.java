package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerEventTest extends RunFixture {
  private static final Settings QUIET = FakeRun.settings("put").with("common-warm-up", 0);

  private TrialRecord trial(Settings settings) {
    List<TrialRecord> records = run.run(FakeRun.groupOf("put", settings));
    assertThat(run.grid().living()).as("left behind").isEmpty();
    return records.get(0);
  }

  private static Settings event(String event, double after, double returnAfter) {
    return QUIET
        .with("server-event", event)
        .with("event-after", after)
        .with("return-after", returnAfter);
  }

  private static double time(TrialRecord trial, String what) {
    return trial.value(Metric.SERVER_EVENT + what).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"kill, false", "leave, true"})
  void aServerIsKilledOrAskedToLeaveAndMissedByNobody(String event, boolean asked) {
    TrialRecord trial = trial(event(event, 1, 0));
    assertThat(trial.outcome()).isEqualTo(TrialRecord.Outcome.OK);
    assertThat(time(trial, event)).isCloseTo(1, within(0.2));
    FakeProcess last = run.grid().started("node-1").get(0);
    assertThat(last.stopped()).isEqualTo(asked);
    if (asked) {
      assertThat(time(trial, "left")).isGreaterThanOrEqualTo(time(trial, "leave"));
    } else {
      assertThat(last.killed()).isTrue();
    }
    assertThat(run.grid().started("node-1")).as("not started again").hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"kill", "leave"})
  void aServerComesBackInItsPlace(String event) {
    TrialRecord trial = trial(event(event, 1, 2));
    assertThat(trial.outcome()).isEqualTo(TrialRecord.Outcome.OK);
    assertThat(time(trial, "return")).isCloseTo(2, within(0.2));
    assertThat(time(trial, "joined")).isGreaterThanOrEqualTo(time(trial, "return"));
    List<FakeProcess> both = run.grid().started("node-1");
    assertThat(both).hasSize(2);
    Command.StartServer before = startOf(both.get(0));
    Command.StartServer back = startOf(both.get(1));
    assertThat(back.index()).isEqualTo(1);
    assertThat(back.peers()).hasSize(2).doesNotHaveDuplicates().isEqualTo(before.peers());
    assertThat(back.ports()).as("clients look for it there").isEqualTo(before.ports());
    assertThat(run.grid().launches().stream().map(l -> l.log().toString()).distinct())
        .as("a log for each process")
        .hasSameSizeAs(run.grid().launches());
  }

  @Test
  void aServerWhosePortIsTakenComesBackAtAnotherThatAllLaterOnesAreTold() {
    run.grid().answers("node-1", Command.StartServer.class, 1, 1, new Answer.PortTaken("Taken."));
    TrialRecord trial = trial(event("kill", 1, 2));
    assertThat(trial.outcome()).isEqualTo(TrialRecord.Outcome.OK);
    List<FakeProcess> all = run.grid().started("node-1");
    assertThat(all).hasSize(3);
    assertThat(all.get(1).killed()).as("the one without a port").isTrue();
    Command.StartServer before = startOf(all.get(0));
    Command.StartServer back = startOf(all.get(2));
    assertThat(back.ports()).isNotEqualTo(before.ports());
    assertThat(back.peers().get(0)).isEqualTo(before.peers().get(0));
    assertThat(back.peers().get(1)).endsWith(":" + back.ports().get(0));
  }

  private static Command.StartServer startOf(FakeProcess server) {
    return server.told().stream()
        .filter(Command.StartServer.class::isInstance)
        .map(Command.StartServer.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aServerJoinsAndTheNextTrialHasFreshProcesses() {
    Settings join = event("join", 1, 0).with("node-cpus", 0.5).with("quota-period", 0.01);
    run.run(
        List.of(
            new Group(
                0, join, List.of(FakeRun.trial(0, 0, "put", join), FakeRun.trial(1, 0, "put")))));
    FakeProcess joined = run.grid().started("node-2").get(0);
    assertThat(joined.told())
        .filteredOn(Command.AwaitServers.class::isInstance)
        .singleElement()
        .isEqualTo(new Command.AwaitServers(3, FakeRun.driver("fake").servers().joinSeconds()));
    assertThat(joined.quotasAt(Command.ReadCpu.class)).as("the quota of the trial").contains(0.5);
    assertThat(run.grid().started("node-0"))
        .as("the cluster has grown, so another is started")
        .hasSize(2);
  }

  @Test
  void aServerThatDoesNotStartFailsTheTrialAndLeavesNothingBehind() {
    run.grid().refuses("node-2", Command.StartServer.class, 0, 9, "no room");
    TrialRecord trial = trial(event("join", 1, 0));
    assertThat(trial.outcome()).isEqualTo(TrialRecord.Outcome.FAILED);
  }

  @Test
  void aServerThatIsStillStartingWhenTheTrialFailsIsKilled() {
    run.time().besideOnThreads();
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    AtomicBoolean killedBeforeTheNextStart = new AtomicBoolean();
    run.grid()
        .before(
            "node-2",
            Command.StartServer.class,
            0,
            () -> {
              starting.countDown();
              awaitQuietly(over);
            })
        .on(
            "agent-0",
            Command.ReadCpu.class,
            2,
            1,
            (agent, told) -> {
              awaitQuietly(starting);
              agent.die("was killed");
              return Optional.empty();
            })
        .before(
            "node-0",
            Command.StartServer.class,
            1,
            () -> {
              killedBeforeTheNextStart.set(run.grid().started("node-2").get(0).killed());
              over.countDown();
            });
    assertThat(run.run(FakeRun.groupOf("put", event("join", 1, 0))).get(0).outcome())
        .isEqualTo(TrialRecord.Outcome.FAILED);
    assertThat(killedBeforeTheNextStart).isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @CsvSource({"kill, 3, 0, 2", "kill, 2, 3.5, 2", "leave, 2, 1, 2", "kill, 1, 0, 1"})
  void timesThatMakeNoSenseAreRefused(String event, double after, double returnAfter, int nodes) {
    TrialRecord trial = trial(event(event, after, returnAfter).with("nodes", nodes));
    assertThat(trial.outcome()).isEqualTo(TrialRecord.Outcome.FAILED);
    assertThat(trial.metrics()).doesNotContainKey(Metric.SERVER_EVENT + event);
  }

  @Test
  void aDriverWhoseServersCannotJoinSaysSo() {
    run.drivers(FakeRun.RIGID);
    TrialRecord trial = trial(event("join", 1, 0).with("driver", FakeRun.RIGID));
    assertThat(trial.outcome()).isEqualTo(TrialRecord.Outcome.FAILED);
  }
}
