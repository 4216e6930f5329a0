package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servers of a grid that others started count as the servers of a trial, where they tell. */
class AttachedUsageTest {
  private static final String SERVERS = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU;
  private static final String CLIENTS = Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU;

  @TempDir Path runs;

  /** Two servers are attached to, which agents watch or do not. */
  private FakeRun attached(Optional<String> unknownUsage) {
    FakeRun run = new FakeRun(runs).attached("10.0.0.1:47500");
    Answer watching = new Answer.Watching(2, unknownUsage);
    run.grid().servers(() -> 2).answers("agent-0", Command.WatchServers.class, 0, 100, watching);
    return run;
  }

  @Test
  void theirCpuTimeIsPartOfARecords() {
    FakeRun run = attached(Optional.empty());
    TrialRecord trial = run.run(FakeRun.blocksOf(1, "put")).get(0);
    assertThat(trial.outcome()).isEqualTo(Outcome.OK);
    double clients = trial.value(CLIENTS).orElseThrow();
    assertThat(trial.value(SERVERS).orElseThrow()).isCloseTo(2 * clients, within(1e-6 * clients));
    assertThat(trial.value(Metric.CPU).orElseThrow())
        .isCloseTo(3 * clients, within(1e-6 * clients));
    assertThat(trial.metrics()).containsKey(Metric.CPU_SECONDS_OF + "node-1");
    assertThat(trial.value(Metric.IDLE_SERVER)).isPresent();
    assertThat(trial.configuration()).containsEntry(CpuScope.KEY, "agents and servers");
  }

  @Test
  void whereTheyDoNotTellTheRunGoesOnAndTrialsHaveTheReason() {
    FakeRun run = attached(Optional.of("server 7 has no JMX port."));
    List<TrialRecord> trials = run.run(FakeRun.blocksOf(2, "put"));
    assertThat(trials).hasSize(2).allMatch(trial -> trial.outcome() == Outcome.OK);
    TrialRecord trial = trials.get(0);
    assertThat(trial.value(SERVERS)).isEmpty();
    assertThat(trial.value(Metric.CPU)).isEqualTo(trial.value(CLIENTS));
    assertThat(trial.configuration())
        .containsEntry(CpuScope.KEY, "agents alone: server 7 has no JMX port.");
  }

  @Test
  void aServerThatStopsToAnswerCostsTheFiguresAndNotTheTrial() {
    FakeRun run = attached(Optional.empty());
    run.grid().refuses("agent-0", Command.OfServer.class, 30, 1_000, "JMX does not answer.");
    List<TrialRecord> trials = run.run(FakeRun.blocksOf(1, "put", "get", "scan"));
    assertThat(trials).hasSize(3).allMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(trials.get(0).value(SERVERS)).isPresent();
    assertThat(trials.get(2).value(SERVERS)).isEmpty();
    assertThat(trials.get(2).configuration())
        .containsEntry(CpuScope.KEY, "agents alone: node-0: JMX does not answer.");
  }

  @Test
  void noServerOfOthersIsEverEnded() {
    FakeRun run = attached(Optional.empty());
    List<TrialRecord> unused = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(run.grid().told(Command.OfServer.class))
        .isNotEmpty()
        .noneMatch(told -> told.command() instanceof Command.Stop);
    assertThat(run.grid().launches()).extracting(launch -> launch.name()).containsOnly("agent-0");
  }
}
