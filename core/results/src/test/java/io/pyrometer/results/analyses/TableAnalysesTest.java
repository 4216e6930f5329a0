package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each analysis that is a table, on trials with planted figures. */
class TableAnalysesTest {
  @TempDir Path runs;

  @Nested
  class QueriesTests {
    private static final Catalogue TABLES =
        Catalogue.of(
            List.of(
                MadeUpExperiment.grid(
                    "tables",
                    List.of(
                        new PathDescription(
                            "select",
                            Job.QUERY,
                            true,
                            "Queries.",
                            Optional.empty(),
                            List.of(
                                MadeUpExperiment.choice("engine", "Engine.", "old", "new")))))));

    private static final String FILE =
        MadeUpRun.file(
            "tables",
            "driver: tables",
            "record: stock-order, path: select",
            "factors: {engine: [old, new]}\nblocks: 3\nanalyses: [queries]\n");

    private MadeUpRun made() {
      return MadeUpRun.of(ExperimentReader.read(FILE, "tables.yaml", Path.of(""), TABLES), TABLES);
    }

    /**
     * The new engine joins in a tenth of the time; both find points within the noise of each other.
     */
    private RunAnalysis of(UnaryOperator<TrialRecord> change) {
      RunFolder folder =
          made()
              .metrics(
                  (trial, metrics) -> {
                    boolean fresh = trial.levels().containsValue("new");
                    double wobble = 1 + 0.1 * (trial.block() - 1);
                    p50(metrics, "join", (fresh ? 5_000 : 50_000) * wobble);
                    p50(metrics, "point", (fresh ? 310 : 300) * wobble);
                  })
              .write(runs, trial -> 1_000);
      return MadeUpRun.analysis("queries").of(MadeUpRun.changed(folder, change)).get(0);
    }

    private static void p50(Map<String, Metric> metrics, String query, double micros) {
      metrics.put(Metric.latency(query, LatencyStatistic.P50), Metric.lowerIsBetter(micros, "µs"));
    }

    @Test
    void theEngineThatAnswersSoonestIsNamedForEachQueryThatTellsThemApart() {
      RunAnalysis analysis = of(trial -> trial);
      assertThat(FoundBy.ids(analysis)).contains("metric.best", "metric.alike");
      Finding join = FoundBy.only(analysis.findings(), "metric.best");
      assertThat(FoundBy.value(join, "metric")).contains("'join'");
      assertThat(FoundBy.value(join, "best")).contains("new");
      assertThat(FoundBy.table(analysis).rows())
          .hasSize(2)
          .allMatch(row -> row.size() == 5 && row.get(3).contains("["));
    }

    @Test
    void aTreatmentWithOtherRowsIsNamedFirstAndItsTrialHasNoFigures() {
      RunAnalysis analysis =
          of(
              trial ->
                  trial.levels().containsValue("new")
                      ? MadeUpRun.wrong(trial, "other rows of the query 'join'")
                      : trial);
      assertThat(FoundBy.ids(analysis)).startsWith("queries.wrong").doesNotContain("metric.best");
    }
  }

  @Nested
  class FirstCallTests {
    private static final String FILE =
        MadeUpRun.file(
            "first", "factors: {path: [put, put-all]}\nblocks: 3\nanalyses: [first-call]\n");

    /** The first call of put takes 199, 200 and 201 ms in the blocks, a warm one 2 ms. */
    private RunAnalysis of(boolean recorded) {
      RunRecord run =
          MadeUpRun.read(FILE)
              .metrics(
                  (trial, metrics) -> {
                    boolean put = trial.path().equals("put");
                    metrics.put(
                        Metric.latency("call", LatencyStatistic.MEAN),
                        Metric.lowerIsBetter(put ? 2_000 : 50_000, "µs"));
                    if (recorded) {
                      metrics.put(
                          Metric.FIRST_CALL,
                          Metric.neutral((put ? 199 : 499) + trial.block(), "ms"));
                    }
                  })
              .load(runs, trial -> 1_000);
      return MadeUpRun.analysis("first-call").of(run).get(0);
    }

    @Test
    void theFirstCallStandsBesideTheWarmOnesWithAnIntervalOverStarts() {
      Finding put = of(true).findings().get(0);
      assertThat(put.id()).isEqualTo("first-call.ratio");
      assertThat(FoundBy.value(put, "first")).startsWith("200 [");
      assertThat(FoundBy.value(put, "ratio")).startsWith("100× [");
    }
  }

  @Nested
  class ContinuousQueriesTests {
    private static final String FILE =
        MadeUpRun.file(
            "events",
            "driver: rich, nodes: 3",
            "record: stock-order, records: 1000, path: put-async, measure: 5s",
            "factors: {in-flight: [1, 2]}\nblocks: 3\n");

    /** Writes with four listeners; in the last block of the second treatment events are harmed. */
    private RunAnalysis of(double lost, double doubled) {
      RunFolder folder = MadeUpRun.read(FILE).write(runs, t -> 1_000);
      return MadeUpRun.analysis("continuous-queries")
          .of(
              MadeUpRun.changed(
                  folder,
                  trial -> {
                    boolean harmed = trial.block() == 2 && trial.levels().containsValue("2");
                    return MadeUpRun.withMetrics(
                        MadeUpRun.with(trial, trial.settings().with("listeners", 4)),
                        Map.of(
                            Metric.EVENTS + "events-lost",
                            Metric.lowerIsBetter(harmed ? lost : 0, "per 1,000 calls"),
                            Metric.EVENTS + "events-doubled",
                            Metric.lowerIsBetter(harmed ? doubled : 0, "per 1,000 calls")));
                  }))
          .get(0);
    }

    private static List<List<String>> rows(RunAnalysis analysis) {
      return FoundBy.table(analysis).rows();
    }

    @Test
    void everyListenersEventsCount() {
      RunAnalysis analysis = of(0, 0);
      assertThat(rows(analysis)).hasSize(2);
      assertThat(rows(analysis).get(0).get(1)).startsWith("4,0");
      assertThat(FoundBy.ids(analysis))
          .containsExactly("continuous-queries.complete", "metric.alike");
      assertThat(FoundBy.value(analysis.findings().get(0), "trials")).isEqualTo("6");
    }

    @Test
    void oneLostOrDuplicateEventIsNamedAndItsTreatmentNotRecommended() {
      RunAnalysis analysis = of(0.5, 0);
      Finding first = analysis.findings().get(0);
      assertThat(first.id()).isEqualTo("continuous-queries.incomplete");
      assertThat(FoundBy.value(first, "treatments")).isEqualTo("in-flight 2");
      assertThat(analysis.findings()).as("its delay is not compared").hasSize(1);
      assertThat(FoundBy.ids(of(0, 0.25))).containsExactly("continuous-queries.incomplete");
    }
  }

  @Nested
  class ExpiryTests {
    private static final String FILE =
        MadeUpRun.file(
            "expiry",
            "driver: rich, nodes: 3",
            "record: stock-order, records: 1000, path: mix, reads: 0.8, misses: 0.25, measure: 5s",
            """
            factors:
              entries:
                - {label: kept, set: {backups: 1}}
                - {label: dropped, set: {backups: 0}}
            blocks: 3
            """);

    private RunAnalysis of(
        BiConsumer<TrialSpec, Map<String, Metric>> metrics, UnaryOperator<TrialRecord> change) {
      RunFolder folder = MadeUpRun.read(FILE).metrics(metrics).write(runs, trial -> 1_000);
      return MadeUpRun.analysis("expiry").of(MadeUpRun.changed(folder, change)).get(0);
    }

    /** A quarter of the 600 reads of 1,000 calls that may hit find nothing. */
    private static void dropping(TrialSpec trial, Map<String, Metric> metrics) {
      if (trial.levels().containsValue("dropped")) {
        metrics.put(Metric.RECORDS_LEFT, Metric.neutral(400, "records"));
        metrics.put(Metric.HEAP_MEMORY, Metric.lowerIsBetter(2 << 20, "bytes"));
        metrics.put(Metric.EVENTS + "reads-of-dropped", Metric.neutral(150, "per 1,000 calls"));
      }
      metrics.put(Metric.MEMORY, Metric.lowerIsBetter(1_234, "bytes"));
    }

    private static List<String> row(RunAnalysis analysis, String treatment) {
      return FoundBy.table(analysis).rows().stream()
          .filter(row -> row.get(0).contains(treatment))
          .findFirst()
          .orElseThrow();
    }

    @Test
    void readsThatMissByThemselvesAreNoneOfADroppedRecord() {
      RunAnalysis analysis = of(ExpiryTests::dropping, trial -> trial);
      assertThat(row(analysis, "dropped")).element(2).asString().startsWith("400");
      assertThat(row(analysis, "dropped")).element(4).asString().startsWith("75");
      assertThat(row(analysis, "kept")).element(2).asString().startsWith("1,000");
      assertThat(row(analysis, "kept")).element(4).asString().startsWith("100");
      assertThat(row(analysis, "kept")).element(6).asString().startsWith("1,230");
      assertThat(row(analysis, "dropped")).element(7).asString().startsWith("800");
      assertThat(row(analysis, "kept").get(7)).isEqualTo(Table.ABSENT);
      Finding finding = analysis.findings().get(0);
      assertThat(finding.id()).isEqualTo("metric.best");
      assertThat(FoundBy.value(finding, "figure")).startsWith("100");
    }

    @Test
    void aTreatmentThatReturnsAStaleRecordIsNamedBeforeWhatIsLeft() {
      RunAnalysis analysis =
          of(
              ExpiryTests::dropping,
              trial ->
                  trial.block() == 2 && trial.levels().containsValue("dropped")
                      ? MadeUpRun.wrong(trial, "3 of 1,000 keys stale")
                      : trial);
      assertThat(analysis.findings().get(0).id()).isEqualTo("expiry.wrong");
    }

    @Test
    void whereNothingMayBeDroppedTheReportSaysWhichSettingsDrop() {
      assertThat(FoundBy.ids(of((trial, metrics) -> {}, trial -> trial)))
          .containsExactly("expiry.no-treatment");
    }
  }

  @Nested
  class LoadTests {
    private static final String FILE =
        MadeUpRun.file(
            "load",
            "driver: rich",
            "record: stock-order, records: 1000, keys: %s",
            "factors: {path: [put, put-all]}\nblocks: 5\nprobes: [order]\nanalyses: [load]\n");

    private static final double KIB = 1024;

    private RunRecord run(String keys) {
      MadeUpRun run =
          MadeUpRun.read(FILE.formatted(keys))
              .metrics(
                  (trial, metrics) -> {
                    boolean put = trial.levels().containsValue("put");
                    metrics.put(
                        Metric.LOADED,
                        Metric.lowerIsBetter(
                            (put ? 90 : 30) * (1 + 0.01 * (trial.block() % 2)), "s"));
                    // 1,000 records: 200 MiB off-heap, and 2 or 16 MiB of heap.
                    metrics.put(Metric.MEMORY, Metric.lowerIsBetter(200 * KIB * 1.024, "B"));
                    metrics.put(
                        Metric.HEAP_MEMORY,
                        Metric.lowerIsBetter((put ? 2 : 16) * KIB * 1.024, "B"));
                  });
      return run.load(runs, trial -> 1_000);
    }

    @Test
    void theTimeToLoadIsComparedAndTabulated() {
      RunRecord run = run("once");
      assertThat(MadeUpRun.analysis("load").always(run)).isTrue();
      RunAnalysis analysis = MadeUpRun.analysis("load").of(run).get(0);
      Finding time = FoundBy.only(analysis.findings(), "metric.best");
      assertThat(FoundBy.value(time, "best")).isEqualTo("put-all");
      assertThat(FoundBy.value(time, "figure")).startsWith("30").endsWith(" s");
      assertThat(FoundBy.table(analysis).header())
          .contains("records", "time [s]", "off-heap [B/record]");
    }

    @Test
    void theMemoryOfAllServersAtTheEndIsStatedWithItsUnit() {
      RunAnalysis analysis = MadeUpRun.analysis("load").of(run("once")).get(0);
      Finding memory = FoundBy.only(analysis.findings(), "load.memory");
      assertThat(FoundBy.value(memory, "off-heap")).isEqualTo("210 MB");
      assertThat(FoundBy.value(memory, "on-heap")).isEqualTo("16.8 MB");
    }

    @Test
    void whatAProbeRefutedIsNotTheFastestAndIsNamedWithoutARanking() {
      RunRecord unprobed = run("once");
      RunRecord run =
          MadeUpRun.of(unprobed, unprobed.finished(), Trials.probe(ProbeKind.ORDER, "put-all", 4));
      assertThat(MadeUpRun.analysis("load").of(run).get(0).findings())
          .noneMatch(finding -> finding.sentence().contains("with put-all"));
      List<Finding> findings = RunReport.of(run).findings();
      assertThat(findings.get(1).severity()).isEqualTo(Finding.Severity.WARNING);
      assertThat(findings.get(1).id()).isEqualTo("guarantee.refuted-by-order");
    }

    @Test
    void otherRunsHaveNone() {
      RunRecord run = run("sequential");
      assertThat(MadeUpRun.analysis("load").always(run)).isFalse();
      assertThat(FoundBy.ids(MadeUpRun.analysis("load").of(run).get(0)))
          .containsExactly("load.no-trial");
    }
  }

  @Nested
  class PausesTests {
    private static final String FILE =
        MadeUpRun.file(
            "pauses",
            "driver: rich, nodes: 2",
            "record: stock-order, records: 1000, path: put",
            """
            telemetry: gc
            factors:
              threads: [1, 2]
            blocks: 2
            analyses: [pauses, ranking]
            """);

    private static MadeUpRun made() {
      return MadeUpRun.read(FILE).noise(0);
    }

    private RunAnalysis of(MadeUpRun run) {
      return MadeUpRun.analysis("pauses").of(run.load(runs, trial -> 1000)).get(0);
    }

    @Test
    void theLongestPauseOfAnyBlockStandsBesideP99AndStopsAreSharesOfAProcess() {
      RunAnalysis analysis =
          of(
              made()
                  .metrics(
                      (trial, metrics) -> {
                        double threads = trial.settings().integer("threads");
                        metrics.put("gc.pauses.nodes", Metric.lowerIsBetter(5, "pauses"));
                        metrics.put(
                            "gc.pause-max.nodes",
                            Metric.lowerIsBetter(10 * threads + trial.block(), "ms"));
                        metrics.put("gc.stopped.nodes", Metric.lowerIsBetter(100, "ms"));
                        metrics.put("gc.stopped.node-0", Metric.lowerIsBetter(50, "ms"));
                        metrics.put("gc.stopped.node-1", Metric.lowerIsBetter(50, "ms"));
                      }));
      assertThat(FoundBy.table(analysis).header())
          .containsExactly(
              "treatment",
              "p99 call [ms]",
              "longest pause [ms]",
              "pauses/s",
              "stopped [%]",
              "MiB/s allocated",
              "live [MiB]");
      // Trials of 2.5 s: 2 × 5 pauses in 5 s; 50 ms a process and trial are 2 %.
      assertThat(FoundBy.table(analysis).rows())
          .extracting(row -> row.get(2), row -> row.get(3), row -> row.get(4), row -> row.get(6))
          .containsExactlyInAnyOrder(
              tuple("11", "2", "2", Table.ABSENT), tuple("21", "2", "2", Table.ABSENT));
      assertThat(FoundBy.table(analysis).rows()).allMatch(row -> row.get(1).startsWith("4"));
      assertThat(FoundBy.ids(analysis)).containsExactly("metric.too-few-blocks");
    }

    @Test
    void aTrialWithoutAPauseLeavesNoLongestOneToCompare() {
      RunAnalysis some =
          of(
              made()
                  .metrics(
                      (trial, metrics) -> {
                        metrics.put("gc.pauses.nodes", Metric.lowerIsBetter(trial.block(), ""));
                        if (trial.block() > 0) {
                          metrics.put("gc.pause-max.nodes", Metric.lowerIsBetter(9, "ms"));
                        }
                      }));
      assertThat(FoundBy.table(some).rows()).hasSize(2);
      assertThat(some.findings()).isEmpty();
    }

    @Test
    void p99IsAbsentWhereThereAreTooFewCalls() {
      RunAnalysis few =
          of(
              made()
                  .withoutP99()
                  .metrics((t, metrics) -> metrics.put("gc.pauses.agents", Metric.neutral(1, ""))));
      assertThat(FoundBy.table(few).rows())
          .isNotEmpty()
          .allMatch(row -> row.get(1).equals(Table.ABSENT));
    }
  }

  @Nested
  class LimitsTests {
    private static final String FILE =
        """
        pyrometer: 1
        name: limits
        question: What limits each path?
        grid: {driver: rich, nodes: 2}
        %s
        workload: {record: stock-order, records: 1000%s}
        factors: {path: [put, put-all]}
        blocks: 2
        analyses: [limits, ranking]
        """;

    /** Of put, with 1,000 records a second by one thread; put-all is always busy. */
    private List<String> findings(String grid, String workload, double busy, double cpuMicros) {
      MadeUpRun run =
          MadeUpRun.read(FILE.formatted(grid, workload))
              .metrics(
                  (trial, metrics) -> {
                    boolean put = trial.levels().containsValue("put");
                    metrics.put(Metric.MACHINE + "busy", Metric.neutral(put ? busy : 97, "%"));
                    metrics.put(Metric.CPU, Metric.lowerIsBetter(cpuMicros, "µs"));
                    if (cpuMicros > 0) {
                      metrics.put(
                          Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU,
                          Metric.lowerIsBetter(0.9 * cpuMicros, "µs"));
                    }
                    metrics.put(
                        Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_BYTES_OUT,
                        Metric.lowerIsBetter(118, "B"));
                  });
      return MadeUpRun.analysis("limits")
          .of(run.load(runs, trial -> 1_000))
          .get(0)
          .findings()
          .stream()
          .map(f -> FoundBy.value(f, "treatments") + " " + f.id())
          .toList();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "'' | '' | 20 | 100 | waits",
          "'' | '' | 60 | 900 | few-calls",
          "'' | ', rate: 500' | 20 | 100 | offered-rate",
          "'' | '' | 20 | 0 | unknown",
          "'' | ', node-cpus: 0.25' | 20 | 500 | servers",
          "'hosts: namespaces' | ', link-rate: 1mbit' | 20 | 100 | links",
        })
    void whatLimitsPutFollowsFromItsUtilisation(
        String grid, String workload, double busy, double cpuMicros, String limit) {
      assertThat(findings(grid, workload, busy, cpuMicros)).contains("put limits." + limit);
    }

    @Test
    void aBusyMachineLimitsAndTasksThatWaitForAStripeAreShown() {
      MadeUpRun run =
          MadeUpRun.read(FILE.formatted("", ""))
              .metrics(
                  (trial, metrics) -> {
                    metrics.put(Metric.MACHINE + "busy", Metric.neutral(93, "%"));
                    metrics.put("grid.striped-pool.queue.mean.nodes", Metric.neutral(2.5, "tasks"));
                  });
      RunAnalysis limits = MadeUpRun.analysis("limits").of(run.load(runs, trial -> 1_000)).get(0);
      assertThat(FoundBy.ids(limits)).containsExactly("limits.machine");
      assertThat(FoundBy.value(limits.findings().get(0), "utilisation")).isEqualTo("93 %");
      Table table = FoundBy.table(limits);
      assertThat(table.header()).contains("machine [%]", "striped queue");
      assertThat(table.rows().get(0)).contains("93", "2.5");
    }
  }
}
