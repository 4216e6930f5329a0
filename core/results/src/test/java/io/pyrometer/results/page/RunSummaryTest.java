package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Check;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunSummaryTest {
  private static final int MAX_WORDS = 350;
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: two-jobs
      question: How should I write to and read from a cluster?
      grid: {driver: rich, nodes: 3}
      workload: {record: stock-order, records: 1000}
      factors: {path: [put, put-all, put-async, put-all-async, get, get-all]}
      blocks: 3
      probes: [order]
      """;

  @TempDir Path runs;

  private RunReport report(String experiment) {
    return report(
        experiment,
        trial ->
            switch (trial.path()) {
              case "put-all" -> 77_000;
              case "get-all" -> 50_000;
              default -> 1_000 + trial.path().length();
            });
  }

  private RunReport report(String experiment, ToDoubleFunction<TrialSpec> throughput) {
    RunRecord run =
        MadeUpRun.read(experiment)
            .validity(trial -> List.of(new Check(Check.OVERSUBSCRIBED, 97, 85, "%", true)))
            .load(runs, throughput);
    return RunReport.of(
        MadeUpRun.of(run, run.finished(), Trials.probe(ProbeKind.ORDER, "put-all", 0)));
  }

  private static void assertFits(List<String> lines) {
    assertThat(lines.size() + 2).as(String.join("\n", lines)).isLessThanOrEqualTo(40);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    assertThat(String.join(" ", lines).split("\\s+")).hasSizeLessThanOrEqualTo(MAX_WORDS);
  }

  @Test
  void theAnswerIsWithinTheFirstEightLines() {
    List<String> lines = RunSummary.of(report(EXPERIMENT), 140);
    assertFits(lines);
    assertThat(lines.get(0)).isEqualTo("How should I write to and read from a cluster?");
    assertThat(String.join("\n", lines.subList(0, 8)))
        .containsPattern(
            "write +put-all +\\S+ k records/s +\\S+ × put +0 of 2,000 keys stale or lost")
        .containsPattern("aggregate +get-all +\\S+ k records/s +\\S+ × get")
        .containsPattern(
            "confidence +medium: 3 blocks +→ \\./pyrometer run two-jobs\\.yaml --blocks 5")
        .contains("valid for   CPU cost on this machine, not a cluster's throughput (O)");
    assertThat(lines).last().asString().startsWith("  ");
    assertThat(lines).anyMatch(line -> line.startsWith("  O  "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "blocks: 1\n",
        "blocks: 3\nanalyses: [factors]\n",
        "blocks: 3\nanalyses: [factors, ranking]\n",
        "blocks: 2\nanalyses: [compilation, ranking]\n",
        "blocks: 3\nrequire: {survives: one-server, ordered: true}\n"
      })
  void otherExperimentsFitToo(String tail) {
    assertFits(RunSummary.of(report(EXPERIMENT.replace("blocks: 3\n", tail)), 100));
  }

  @Test
  void manyTreatmentsAreCut() {
    String many =
        EXPERIMENT.replace("get-all]}", "get-all], backups: [0, 1, 2], threads: [1, 2, 3]}");
    List<String> lines = RunSummary.of(report(many), 100);
    assertFits(lines);
    assertThat(lines).anyMatch(line -> line.contains("in the report"));
  }

  @Test
  void longConditionsStandOnALineOfTheirOwn() {
    String conditions =
        EXPERIMENT
            .replace(", records: 1000", "")
            .replace("get-all]}", "get-all], records: [100000, 200000], bytes: [1044, 8192]}");
    List<String> lines =
        RunSummary.of(
            report(
                conditions,
                trial ->
                    trial.path().endsWith("-all") == trial.levels().containsValue("1044")
                        ? 50_000
                        : 1_000),
            100);
    assertFits(lines);
    assertThat(lines)
        .contains("  aggregate · records 100000 · bytes 1044 and records 200000 · bytes 1044");
  }

  @Test
  void aNarrowTerminalIsFilledNoFurther() {
    assertThat(RunSummary.of(report(EXPERIMENT), 80))
        .filteredOn(line -> !line.contains("→"))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void resultsHoldTheAnswerAsData() {
    RunReport report = report(EXPERIMENT);
    assertThat(ResultFiles.results(report).answer().recommended())
        .extracting(Answer.Recommended::treatment)
        .containsExactly("put-all", "get-all");
    assertThat(report.answer().confidence()).contains(Answer.Confidence.MEDIUM);
  }
}
