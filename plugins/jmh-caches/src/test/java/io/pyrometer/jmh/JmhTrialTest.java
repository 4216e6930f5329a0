package io.pyrometer.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the record of a benchmark says, with an agent that answers without running any. */
class JmhTrialTest {
  /** As JMH 1.37 writes it, with what is not read left out. */
  private static final String TIMED =
      """
      [{"jmhVersion": "1.37", "benchmark": "a.B.read", "mode": "thrpt", "threads": 4, "forks": 1,
        "warmupTime": "500 ms", "measurementTime": "1 s", "measurementIterations": 3,
        "primaryMetric": {"score": 2000.0, "scoreError": "NaN", "scoreUnit": "ops/s",
          "rawData": [[1900.0, 2100.0, 2000.0]]},
        "secondaryMetrics": {
          "gc.alloc.rate.norm": {"score": 32.0, "scoreUnit": "B/op", "rawData": [[32, 32, 32]]},
          "gc.count": {"score": 4.0, "scoreUnit": "counts", "rawData": [[1, 2, 1]]},
          "cpu": {"score": 8.0, "scoreUnit": "us/op", "rawData": [[8, 8, 8]]}}}]
      """;

  private static final String ONE_SHOT =
      TIMED
          .replace("\"1 s\"", "\"single-shot\"")
          .replace("ops/s", "s/op")
          .replace("2000.0, \"scoreError", "0.5, \"scoreError");

  @TempDir Path runs;
  private FakeRun run;

  @BeforeEach
  void newRun() {
    run = new FakeRun(runs);
  }

  private static BenchmarkReport report(double recordsPerOperation, String... problems) {
    return new BenchmarkReport(
        recordsPerOperation,
        "10 entries",
        "10 entries",
        List.of(problems),
        List.of(
            Reading.lower("heap-per-entry", 64, "B"),
            new Reading("hit-ratio", 30, "%", Reading.Better.HIGHER)),
        Map.of("cache.maximum-size", "20"),
        2.5);
  }

  private void answers(String jmh, BenchmarkReport report) {
    run.grid()
        .on(
            "agent-0",
            Command.OfKind.class,
            0,
            9,
            (process, told) ->
                Optional.of(Answer.OfKind.of(new JmhProcess.Benchmarked(jmh, report))));
  }

  private static List<Group> group(int nodes) {
    Settings settings =
        FakeRun.settings(Benchmark.READ.path())
            .with("nodes", nodes)
            .with("fork-heap", 1 << 20)
            .with("iterations", 3);
    return List.of(
        new Group(
            0,
            settings,
            List.of(
                new TrialSpec(
                    "0001-b1-read",
                    0,
                    0,
                    Map.of("cache", "A"),
                    Benchmark.JOB,
                    settings,
                    JmhKind.RECORD,
                    7))));
  }

  private TrialRecord trial(int nodes) {
    return run.run(group(nodes)).get(0);
  }

  private static double value(TrialRecord trial, String metric) {
    return trial.value(metric).orElseThrow();
  }

  @Test
  void aTimedScoreBecomesRecordsASecondAndProfilersFiguresARecord() {
    answers(TIMED, report(10));
    TrialRecord trial = trial(0);
    assertThat(trial.outcome()).isEqualTo(Outcome.OK);
    assertThat(trial.throughput()).contains(20_000.0);
    assertThat(value(trial, Metric.ALLOCATED)).isEqualTo(3.2, within(1e-9));
    assertThat(value(trial, Metric.CPU)).isEqualTo(0.8, within(1e-9));
    assertThat(value(trial, "jmh.gc.count")).isEqualTo(4);
    assertThat(value(trial, "jmh.iteration-spread")).isEqualTo(10, within(1e-9));
    assertThat(trial.counts().seconds()).isEqualTo(3);
    assertThat(trial.counts().records()).isEqualTo(60_000);
    assertThat(trial.configuration()).containsEntry("cache.maximum-size", "20");
    assertThat(trial.metrics())
        .containsEntry("heap-per-entry", Metric.lowerIsBetter(64, "B"))
        .containsEntry("hit-ratio", Metric.higherIsBetter(30, "%"));
  }

  @Test
  void aOneShotScoreIsTheTimeOfAnOperation() {
    answers(ONE_SHOT, report(1_000));
    assertThat(trial(0).throughput()).contains(2_000.0);
  }

  @Test
  void jmhsOwnResultIsKeptAsItIs() throws IOException {
    answers(TIMED, report(1));
    PlannedRun plan = run.plan(group(0));
    RunFolder folder = run.begin(plan);
    TrialRecord trial = run.resume(plan, folder).get(0);
    assertThat(trial.artefacts()).hasSize(1);
    assertThat(Files.readString(folder.file(trial.artefacts().get(0).file()))).isEqualTo(TIMED);
  }

  @Test
  void aFailedVerificationLeavesNoThroughputAndSaysWhy() {
    answers(TIMED, report(1, "Expected 10 entries, found 9 entries."));
    TrialRecord trial = trial(0);
    assertThat(trial.outcome()).isEqualTo(Outcome.WRONG);
    assertThat(trial.throughput()).isEmpty();
    assertThat(trial.why()).contains("Expected 10 entries, found 9 entries.");
  }

  @Test
  void theCpuTimeOfARecordIsLeftOutWhereServersHaveAShareInIt() {
    answers(TIMED, report(1));
    TrialRecord trial = trial(2);
    assertThat(trial.value(Metric.CPU)).isEmpty();
    Command.OfKind told = run.grid().told(Command.OfKind.class).get(0);
    assertThat(told.as(BenchmarkSpec.class).servers()).hasSize(2);
    assertThat(run.grid().told(Command.OpenSession.class)).isEmpty();
  }

  @Test
  void aResultThatIsNoneFailsTheTrialAndNotTheRun() {
    answers("[]", report(1));
    TrialRecord trial = trial(0);
    assertThat(trial.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(trial.why().orElseThrow()).contains("holds 0 benchmarks");
  }

  @Test
  void anAgentThatDiesFailsTheTrialAndItIsMadeAgainOnAnother() {
    run.grid().dies("agent-0", Command.OfKind.class, 0);
    answers(TIMED, report(1));
    List<TrialRecord> attempts = run.run(group(0));
    assertThat(attempts)
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.FAILED, Outcome.OK);
    assertThat(attempts.get(0).why().orElseThrow()).contains("was killed");
    assertThat(run.grid().living()).isEmpty();
  }

  @Test
  void aBenchmarkThatNeverEndsIsKilled() {
    run.grid().hangs("agent-0", Command.OfKind.class, 0);
    answers(TIMED, report(1));
    List<TrialRecord> attempts = run.run(group(0));
    assertThat(attempts.get(0).outcome()).isEqualTo(Outcome.FAILED);
    assertThat(run.grid().started().stream().filter(FakeProcess::killed)).isNotEmpty();
  }
}
