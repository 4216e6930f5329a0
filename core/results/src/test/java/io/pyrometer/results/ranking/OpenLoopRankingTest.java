package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where an experiment offers a rate, it fixes throughput, and latency ranks. */
class OpenLoopRankingTest {
  private static final String OPEN =
      MadeUpRun.file(
          "open",
          "driver: rich",
          "record: stock-order, records: 1000, rate: 1000",
          """
      factors:
        path: [put, put-all, put-async]
      blocks: 5
      analyses: [ranking]
      """);

  private static final String MIX =
      OPEN.replace("path: [put, put-all, put-async]", "cache-mode: [PARTITIONED, REPLICATED]")
          .replace("rate: 1000}", "rate: 1000, path: mix}");

  @TempDir Path runs;

  private MadeUpRun run(String experiment) {
    return MadeUpRun.read(experiment);
  }

  /** A made-up trial has a p99 of four seconds divided by this. */
  private RunReport report(MadeUpRun run, ToDoubleFunction<TrialSpec> rate) {
    return ResultFiles.write(run.write(runs, rate));
  }

  private RunReport open(UnaryOperator<MadeUpRun> change) {
    MadeUpRun made = run(OPEN).metrics(OpenLoopRankingTest::tails);
    return report(change.apply(made), OpenLoopRankingTest::speed);
  }

  private static List<String> ids(RunReport report) {
    return report.findings().stream().map(Finding::id).toList();
  }

  private static Map<String, Value> first(RunReport report) {
    return report.findings().get(0).values();
  }

  private static Answer.Recommended recommended(RunReport report) {
    return report.answer().recommended().get(0);
  }

  /** put-all has the higher throughput by far, and 70 times the p99. */
  private static void tails(TrialSpec trial, Map<String, Metric> metrics) {
    double micros =
        switch (trial.path()) {
          case "put-all" -> 70_000;
          case "put-async" -> 1_020;
          default -> 1_000;
        };
    Metric own = metrics.get("latency.call.p99");
    double noise = own.value() * speed(trial) / 4e6;
    metrics.put("latency.call.p99", Metric.lowerIsBetter(micros * noise, "µs"));
  }

  private static double speed(TrialSpec trial) {
    return trial.path().equals("put-all") ? 100_000 : 1_000;
  }

  @Test
  void theLowestP99IsRecommendedAndNotTheHighestThroughput() {
    RunReport report = open(made -> made);
    assertThat(report.rankings()).singleElement().satisfies(r -> assertThat(r.openLoop()).isTrue());
    assertThat(report.rankings().get(0).rows())
        .extracting(Ranking.Row::label)
        .endsWith("put-all")
        .first()
        .isIn("put", "put-async");
    Ranking.Row slow = report.rankings().get(0).rows().get(2);
    assertThat(slow.latencies().get(0).ratio().orElseThrow().contains(70)).isTrue();
    assertThat(report.rankings().get(0).baseline()).isEqualTo("put");
    assertThat(ids(report)).startsWith("answer.lowest-p99");
    assertThat(recommended(report).figure().unit()).isEqualTo("ms");
    assertThat(recommended(report).alike())
        .singleElement()
        .extracting(Answer.Alternative::treatment)
        .isIn("put", "put-async");
  }

  @Test
  void eachRateHasAChoice() {
    String rates =
        OPEN.replace(", rate: 1000}", "}")
            .replace(
                "  path: [put, put-all, put-async]", "  path: [put, put-all]\n  rate: [500, 1000]");
    RunReport report =
        report(
            run(rates).calls(trial -> (long) (2.5 * trial.settings().decimal("rate"))),
            trial -> trial.settings().decimal("rate"));
    assertThat(report.rankings()).hasSize(2);
    assertThat(report.answer().choices())
        .extracting(Answer.Choice::rate)
        .containsExactly(500.0, 1000.0);
  }

  @ParameterizedTest
  @CsvSource({"2400, 3, rate.missed", "2600, 3, rate.backlog", "2500, 400, rate.backlog"})
  void aRateThatWasNotHeldIsTheFirstFindingAndRulesATreatmentOut(
      long calls, double overdue, String id) {
    RunReport report =
        report(
            run(OPEN)
                .calls(trial -> trial.path().equals("put") ? calls : 2_500)
                .metrics(
                    (trial, metrics) -> {
                      tails(trial, metrics);
                      double backlog = trial.path().equals("put") ? overdue : 3;
                      metrics.put(Metric.BACKLOG_AT_START, Metric.neutral(backlog, "calls"));
                    }),
            OpenLoopRankingTest::speed);
    assertThat(ids(report)).startsWith(id, "answer.lowest-p99");
    assertThat(report.findings().get(0).severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(first(report))
        .containsEntry("treatments", Value.names(List.of("put")))
        .containsEntry("least", Value.share(calls / 2_500.0));
    assertThat(report.rankings().get(0).rows())
        .extracting(Ranking.Row::label)
        .containsExactly("put-async", "put-all", "put");
    assertThat(recommended(report).treatment()).isEqualTo("put-async");
  }

  @Test
  void aRateHeldWithinTwoPercentIsNotMentioned() {
    RunReport report =
        open(made -> made.calls(trial -> trial.path().equals("put") ? 2_450 : 2_550));
    assertThat(ids(report)).doesNotContain("rate.missed", "rate.backlog");
  }

  @Test
  void theCheckOfTheTrialGoesBeforeItsCounts() {
    RunReport report =
        open(
            made ->
                made.validity(
                    trial -> List.of(new Check(Attempts.ACHIEVED_RATE, 71, 98, "%", true))));
    assertThat(first(report)).containsEntry("least", Value.share(0.71));
    assertThat(ids(report)).startsWith("rate.missed", "no-answer.rate-not-held");
  }

  @Test
  void readsAndWritesAreNeverPooled() {
    RunReport report =
        report(
            run(MIX)
                .metrics(
                    (trial, metrics) -> {
                      boolean replicated = trial.settings().text("cache-mode").equals("REPLICATED");
                      double noise = metrics.get("latency.call.p99").value() / 4_000;
                      metrics.keySet().removeIf(name -> name.startsWith("latency."));
                      operation(metrics, "get", (replicated ? 100 : 500) * noise);
                      operation(metrics, "put", (replicated ? 9_000 : 3_000) * noise);
                    }),
            trial -> 1_000);
    Ranking ranking = report.rankings().get(0);
    assertThat(ranking.severalOperations()).isTrue();
    assertThat(ranking.rows().get(0).latencies())
        .extracting(OperationLatency::operation)
        .containsExactly("get", "put");
    assertThat(recommended(report).treatment()).contains("PARTITIONED");
    String table = Markdown.table(RankingTable.of(ranking).table());
    assertThat(table).contains("| operation |", "| get |", "| put |").doesNotContain("| call |");
    assertThat(RankingTable.of(ranking).table().rows()).hasSize(4);
  }

  private static void operation(Map<String, Metric> metrics, String name, double p99) {
    metrics.put("latency." + name + ".p50", Metric.lowerIsBetter(p99 / 4, "µs"));
    metrics.put("latency." + name + ".p99", Metric.lowerIsBetter(p99, "µs"));
  }

  @Test
  void tooFewCallsForAP99AreNoRecommendation() {
    RunReport report = report(run(OPEN).withoutP99(), OpenLoopRankingTest::speed);
    assertThat(ids(report)).startsWith("no-answer.too-few-calls");
  }
}
