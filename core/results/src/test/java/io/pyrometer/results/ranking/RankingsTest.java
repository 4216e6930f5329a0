package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.ranking.TreatmentNotes.Unequal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Baselines, latencies and published figures of rankings. */
class RankingsTest {
  @TempDir Path runs;

  /** The treatment that ratios are to, where none has the plainest path. */
  @Nested
  class BaselineTests {
    @ParameterizedTest
    @CsvSource({
      "rich, 'put-all, put-async, put-all-async', '', put-all-async, put-all",
      "rich, 'put-all, put-async, put-all-async', ', rate: 100', put-async, put-all",
      "plain, 'store, put-again', '', store, put-again"
    })
    void itIsTheFirstOfThoseThatClaimTheMostGuarantees(
        String driver, String paths, String rate, String slowest, String baseline) {
      String file =
          MadeUpRun.file(
                  "baseline",
                  "driver: %s",
                  "record: stock-order, records: 1000%s",
                  "factors: {path: [%s]}\nblocks: 3\n")
              .formatted(driver, rate, paths);
      assertThat(ranking(file, slowest).baseline()).isEqualTo(baseline);
    }

    /**
     * @param slowest a level with half the throughput of the others
     */
    private Ranking ranking(String file, String slowest) {
      return Rankings.of(
              MadeUpRun.read(file)
                  .noise(0)
                  .load(runs, t -> t.levels().containsValue(slowest) ? 500 : 1_000))
          .get(0);
    }

    @Test
    void ofOnePathItIsTheFirstSettingThatGuaranteesTheMost() {
      String file =
          MadeUpRun.file(
              "baseline",
              "driver: rich, nodes: 3",
              "record: stock-order, records: 1000, path: put",
              "factors:\n  backups: {role: choice, levels: [0, 1, 2]}\nblocks: 3\n");
      Ranking ranking = ranking(file, "");
      assertThat(ranking.baseline()).isEqualTo("backups 1");
      assertThat(ranking.rows()).filteredOn(Ranking.Row::isBaseline).hasSize(1);
    }

    @Test
    void ofSeveralProductsItIsThatOfTheFirstWhateverItsPath() {
      String file =
          MadeUpRun.file(
              "baseline",
              "nodes: 3",
              "record: stock-order, records: 1000",
              """
        factors:
          product:
            - {label: today, set: {driver: rich, path: put-all}}
            - {label: other, set: {driver: plain, path: put}}
        blocks: 3
        """);
      Ranking ranking = ranking(file, "");
      assertThat(ranking.baseline()).isEqualTo("today");
    }
  }

  /** Products in one block are compared with the plainest path of the first. */
  @Nested
  class SeveralDriversRankingTests {
    private static final EqualTerm HEAP = heap(Optional.empty(), Optional.empty());
    private static final Optional<String> CAVEAT = Optional.of("Not all of it is heap.");

    private static EqualTerm heap(Optional<String> caveat, Optional<String> unlessPath) {
      Map<String, String> settings = Map.of("node-heap", EqualTerm.GIVEN);
      return new EqualTerm("heap", Optional.empty(), settings, caveat, unlessPath);
    }

    private static final String DRIVERS =
        MadeUpRun.file(
            "drivers",
            "nodes: 1",
            "record: stock-order, records: 1000",
            """
      factors:
        driver: [rich, plain]
        path: [put]
      blocks: 5
      analyses: [ranking]
      """);

    private static final String ACCESS =
        """
          - {label: rich put, set: {driver: rich, path: put}}
          - {label: plain put, set: {driver: plain, path: put}}
          - {label: rich putAll, set: {driver: rich, path: put-all}}
          - {label: plain store, set: {driver: plain, path: store}}
      """;

    private static double rate(TrialSpec trial) {
      double driver = trial.settings().text("driver").equals("rich") ? 1_000 : 4_000;
      return trial.path().equals("put") ? driver : 10 * driver;
    }

    private Ranking ranking(String experiment) {
      return Rankings.of(MadeUpRun.read(experiment).load(runs, SeveralDriversRankingTests::rate))
          .get(0);
    }

    private static Map<String, Double> ratios(Ranking ranking) {
      return ranking.rows().stream()
          .filter(row -> row.ratio().isPresent())
          .collect(Collectors.toMap(Ranking.Row::label, r -> r.ratio().map(Estimate::value).get()));
    }

    @Test
    void allPathsOfAllProductsAreComparedWithThePlainestOfTheFirst() {
      Ranking ranking =
          ranking(
              DRIVERS
                  .replace("  driver: [rich, plain]\n", "  access:\n" + ACCESS)
                  .replace("  path: [put]\n", ""));
      assertThat(ranking.baseline()).isEqualTo("rich put");
      assertThat(ratios(ranking).values())
          .satisfiesExactlyInAnyOrder(
              r -> assertThat(r).isCloseTo(4, within(0.6)),
              r -> assertThat(r).isCloseTo(10, within(1.5)),
              r -> assertThat(r).isCloseTo(40, within(6.0)));
    }

    @Test
    void theTreatmentWhoseTermsAreNotEqualIsMarkedAndListed() {
      RunRecord odd = run(heap(CAVEAT, Optional.empty()));
      assertThat(Rankings.of(odd).get(0).rows())
          .extracting(Ranking.Row::marks)
          .containsExactly(List.of(Mark.of(Mark.Kind.UNEQUAL, "heap")), List.of());
      assertThat(TreatmentNotes.unequal(odd.plan()))
          .containsExactly(new Unequal("odd", "heap", "heap: 300m", "Not all of it is heap."));
      RunRecord otherPaths = run(heap(CAVEAT, Optional.of("put")));
      assertThat(Rankings.of(otherPaths).get(0).rows()).allMatch(row -> row.marks().isEmpty());
      assertThat(TreatmentNotes.unequal(otherPaths.plan())).isEmpty();
    }

    /** The odd product is faster and cannot make a term quite true, and the even one can. */
    private RunRecord run(EqualTerm ofOdd) {
      Catalogue catalogue = Catalogue.of(List.of(grid("even", HEAP), grid("odd", ofOdd)));
      Experiment experiment =
          ExperimentReader.read(
              DRIVERS.replace("[rich, plain]", "[even, odd]") + "equal: {heap: 300m}\n",
              "equal.yaml",
              Path.of(""),
              catalogue);
      return MadeUpRun.of(experiment, catalogue)
          .noise(0.001)
          .load(runs, trial -> trial.settings().text("driver").equals("odd") ? 4_000 : 1_000);
    }

    private static DriverDescription grid(String name, EqualTerm term) {
      return MadeUpExperiment.grid(
          name,
          List.of(),
          List.of(new PathDescription("put", Job.WRITE, true, "P.", Optional.empty(), List.of())),
          List.of(term),
          List.of());
    }
  }

  @Test
  void publishedRatiosThatAgreeAreOneFindingAndEachThatDiffersIsOneWithItsReason() {
    String experiment =
        MadeUpRun.file(
            "published",
            """
        factors: {path: [put, put-all, put-async, put-all-async]}
        blocks: 3
        published:
          source: a page
          figures:
            - {at: {path: put}, rate: 10}
            - {at: {path: put-all}, rate: 700}
            - {at: {path: put-async}, rate: 1250, why: one machine here}
        """);
    RunReport report =
        RunReport.of(
            MadeUpRun.read(experiment)
                .noise(0)
                .load(runs, trial -> trial.path().equals("put") ? 100 : 5_000));
    List<Finding> findings =
        report.findings().stream().filter(each -> each.category().equals("published")).toList();
    assertThat(findings)
        .extracting(Finding::id)
        .containsExactly("published.agrees", "published.differs");
    assertThat(findings.get(0).values())
        .containsEntry("treatments", Value.names(List.of("put-all")));
    assertThat(findings.get(1).values())
        .containsEntry("published", Value.ratio(125))
        .containsEntry("why", Value.name("one machine here"));
  }

  @Test
  void aTreatmentOfWhichCallsFailedIsMarked() {
    Ranking ranking =
        Rankings.of(
                MadeUpExperiment.runOf(2)
                    .validity(
                        t -> List.of(new Check("errors", 5, 0.1, "%", t.path().equals("put"))))
                    .load(runs, trial -> 1_000))
            .get(0);
    assertThat(ranking.rows())
        .filteredOn(row -> row.label().equals("put"))
        .singleElement()
        .extracting(Ranking.Row::marks)
        .isEqualTo(List.of(new Mark(Mark.Kind.ERRORS, "", 2, 2)));
  }

  @Nested
  class TreatmentLatenciesTests {
    /** Latencies of 1 ms times a factor of the block, log-normal, 2,000 calls a block. */
    private RunRecord run(int blocks) throws Exception {
      RunFolder folder =
          MadeUpExperiment.runOf(blocks)
              .metrics((trial, metrics) -> metrics.remove("latency.call.p99.9"))
              .write(runs, trial -> 1_000);
      Random random = new Random(5);
      for (TrialRecord trial : folder.trials()) {
        Histogram histogram = MadeUpRun.second("call", 0, 0);
        double block = Math.exp(0.05 * random.nextGaussian());
        for (int i = 0; i < 2_000; i++) {
          histogram.recordValue((long) (1e6 * block * Math.exp(0.5 * random.nextGaussian())));
        }
        MadeUpRun.log(folder.histogram(trial.id(), 1), 0, List.of(histogram));
      }
      return RunRecord.load(folder);
    }

    private static OperationLatency first(RunRecord run) {
      return Rankings.of(run).get(0).rows().get(0).latencies().get(0);
    }

    @Test
    void percentilesAreOfAllCallsTogetherWithAnIntervalOverBlocks() throws Exception {
      OperationLatency latency = first(run(5));
      Estimate p99 = latency.of(LatencyStatistic.P99).orElseThrow();
      assertThat(p99.contains(1_000 * Math.exp(0.5 * 2.326348))).as("%s", p99).isTrue();
      assertThat(p99.replicates()).isEqualTo(5);
      assertThat(p99.unit()).isEqualTo("µs");
      assertThat(p99.halfWidth() / p99.value()).isBetween(0.005, 0.5);
      assertThat(latency.curve()).isNotEmpty();
      assertThat(latency.of(LatencyStatistic.P999)).isPresent();
    }

    @Test
    void withoutHistogramsTheTrialsOwnPercentilesServe() {
      RunRecord run = MadeUpExperiment.runOf(5).load(runs, trial -> 1_000);
      OperationLatency latency = first(run);
      assertThat(latency.of(LatencyStatistic.P99).orElseThrow().value())
          .isCloseTo(4_000, org.assertj.core.data.Percentage.withPercentage(3));
      assertThat(latency.curve()).isEmpty();
      assertThat(latency.p99().values()).hasSize(5);
      assertThat(Metric.parseLatency("latency.call.p99")).isPresent();
    }
  }
}
