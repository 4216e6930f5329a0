package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * No trial is valid on a grid that lacks a server; the servers of a grid that others started count
 * as those of a trial, where they tell.
 */
class AttachedGridTest extends RunFixture {
  private static final String ONE_OF_TWO =
      Messages.format("coordinator.server-count").formatted("1 server", 2);

  private int servers = 2;

  private FakeRun attached() {
    FakeRun run = new FakeRun(runs).attached("10.0.0.1:47500");
    run.grid().servers(() -> servers);
    return run;
  }

  /** The grid has so many servers from such a command on; a warm-up of each path comes first. */
  private FakeRun changing(Class<? extends Command> command, int skip, int to) {
    FakeRun run = attached();
    run.grid().before("agent-0", command, skip, () -> servers = to);
    return run;
  }

  /** The folder of a run that stops with a message which holds this text. */
  private static RunFolder stopped(FakeRun run, String text, List<Group> groups) {
    PlannedRun plan = run.plan(groups);
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(text)
        .hasMessageContaining(folder.path().toString());
    return folder;
  }

  @Test
  void aTrialOnServersThatDoNotFormOneGridIsNotValid() {
    run.grid().servers(() -> 1);
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).extracting(TrialRecord::outcome).containsOnly(Outcome.FAILED);
    assertThat(made.get(0).why().orElseThrow()).contains(ONE_OF_TWO);
  }

  @Test
  void aServerThatAnAttachedGridLosesInATrialStopsTheRunWhichIsResumed() {
    List<Group> groups = FakeRun.blocksOf(1, "put", "get", "scan");
    RunFolder folder = stopped(changing(Command.Verify.class, 4, 1), " 1 server ", groups);
    PlannedRun plan = folder.plan();
    assertThat(folder.trials())
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.FAILED);
    assertThat(folder.trials().get(1).why().orElseThrow()).contains(ONE_OF_TWO);

    FakeRun stillWithout = attached();
    assertThatThrownBy(() -> stillWithout.resume(plan, folder)).isInstanceOf(RunException.class);
    assertThat(stillWithout.grid().told(Command.Prepare.class)).as("nothing is written").isEmpty();
    assertThat(folder.trials()).hasSize(2);

    servers = 2;
    assertThat(attached().resume(plan, folder))
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.FAILED, Outcome.OK, Outcome.OK);
  }

  @Test
  void theLoadOnAnAttachedGridThatLosesAServerEndsAtOnce() {
    FakeRun run = changing(Command.Measure.class, 0, 1);
    RunFolder folder = stopped(run, " 1 server ", FakeRun.blocksOf(1, "put"));
    assertThat(folder.trials().get(0).why().orElseThrow()).contains(ONE_OF_TWO);
    assertThat(run.grid().told(Command.Finish.class)).as("of the warm-up alone").hasSize(1);
  }

  @Test
  void aServerThatJoinsAnAttachedGridBetweenTwoTrialsStopsTheRunToo() {
    FakeRun run = changing(Command.TearDown.class, 2, 3);
    RunFolder folder = stopped(run, " 3 servers ", FakeRun.blocksOf(1, "put", "get"));
    assertThat(folder.trials())
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.FAILED);
  }

  @Test
  void aServerThatIsLostInAProbeStopsTheRun() {
    FakeRun run = changing(Command.EndProbe.class, 0, 1).probes(ProbeKind.ORDER);
    assertThat(stopped(run, " 1 server ", FakeRun.blocksOf(1, "put")).probes()).hasSize(1);
  }

  @Test
  void anAttachedGridThatIsGoneIsSaidOnce() {
    FakeRun run = attached();
    run.grid().refuses("agent-0", Command.OpenSession.class, 1, 100, "No grid was joined.");
    assertThat(
            stopped(run, "agent-0: No grid was joined.", FakeRun.blocksOf(3, "put", "get"))
                .trials())
        .as("those of the first block")
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.OK);
  }

  @Test
  void aGridWhoseProductDoesNotTellIsNotJudged() {
    FakeRun run = attached();
    Answer unknown = new Answer.Servers(Optional.empty());
    run.grid().answers("agent-0", Command.CountServers.class, unknown);
    assertThat(run.run(FakeRun.blocksOf(1, "put")))
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK);
  }

  private static final String SERVER_CPU = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU;
  private static final String CLIENTS = Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU;

  /** Two servers are attached to, which agents watch or do not. */
  private void attached(Optional<String> unknownUsage) {
    run = attached();
    run.grid().answers("agent-0", Command.WatchServers.class, new Answer.Watching(2, unknownUsage));
  }

  @Test
  void theirCpuTimeIsPartOfARecords() {
    attached(Optional.empty());
    TrialRecord trial = run.run(FakeRun.blocksOf(1, "put")).get(0);
    assertThat(trial.outcome()).isEqualTo(Outcome.OK);
    double clients = trial.value(CLIENTS).orElseThrow();
    assertThat(trial.value(SERVER_CPU).orElseThrow())
        .isCloseTo(2 * clients, within(1e-6 * clients));
    assertThat(trial.value(Metric.CPU).orElseThrow())
        .isCloseTo(3 * clients, within(1e-6 * clients));
    assertThat(trial.metrics()).containsKey(Metric.CPU_SECONDS_OF + "node-1");
    assertThat(trial.value(Metric.IDLE_SERVER)).isPresent();
    assertThat(trial.configuration()).containsEntry(CpuScope.KEY, "agents and servers");
  }

  @Test
  void whereTheyDoNotTellTheRunGoesOnAndTrialsHaveTheReason() {
    attached(Optional.of("server 7 has no JMX port."));
    List<TrialRecord> trials = run.run(FakeRun.blocksOf(2, "put"));
    assertThat(trials).hasSize(2).allMatch(trial -> trial.outcome() == Outcome.OK);
    TrialRecord trial = trials.get(0);
    assertThat(trial.value(SERVER_CPU)).isEmpty();
    assertThat(trial.value(Metric.CPU)).isEqualTo(trial.value(CLIENTS));
    assertThat(trial.configuration())
        .containsEntry(CpuScope.KEY, "agents alone: server 7 has no JMX port.");
  }

  @Test
  void aServerThatStopsToAnswerCostsTheFiguresAndNotTheTrial() {
    attached(Optional.empty());
    run.grid().refuses("agent-0", Command.OfServer.class, 30, 1_000, "JMX does not answer.");
    List<TrialRecord> trials = run.run(FakeRun.blocksOf(1, "put", "get", "scan"));
    assertThat(trials).hasSize(3).allMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(trials.get(0).value(SERVER_CPU)).isPresent();
    assertThat(trials.get(2).value(SERVER_CPU)).isEmpty();
    assertThat(trials.get(2).configuration())
        .containsEntry(CpuScope.KEY, "agents alone: node-0: JMX does not answer.");
  }

  @Test
  void noServerOfOthersIsEverEnded() {
    attached(Optional.empty());
    List<TrialRecord> unused = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(run.grid().told(Command.OfServer.class))
        .isNotEmpty()
        .noneMatch(told -> told.command() instanceof Command.Stop);
    assertThat(run.grid().launches()).extracting(launch -> launch.name()).containsOnly("agent-0");
  }
}
