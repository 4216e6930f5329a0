package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Findings on treatments that their figures do not show. */
class TreatmentNotesTest {
  @TempDir Path runs;

  @Nested
  class HiddenHopsTests {
    private static final String CLIENTS =
        MadeUpRun.file(
            "clients",
            "driver: plain",
            "record: stock-order, records: 1000, path: put-again",
            "factors: {partition-awareness: [on, off]}\nblocks: 5\n");

    private RunReport report(String yaml) {
      MadeUpRun made = MadeUpRun.read(yaml);
      return RunReport.of(
          made.load(
              runs,
              trial -> trial.levels().get("partition-awareness").equals("off") ? 2_000 : 1_000));
    }

    @Test
    void anUnawareClientThatIsFasterOverLoopbackIsNotRecommended() {
      RunReport report = report(CLIENTS);
      assertThat(report.answer().recommended().get(0).treatment())
          .isEqualTo("partition-awareness on");
      assertThat(report.findings()).extracting(Finding::id).contains("ranking.hidden-hop");
    }

    @Test
    void aloneItIsJudgedLikeAny() {
      assertThat(report(CLIENTS.replace("awareness: [on, off]", "awareness: [off]")).findings())
          .extracting(Finding::id)
          .doesNotContain("ranking.hidden-hop");
    }
  }

  /** A made-up trial writes 10 records while it warms up and 2,500 in its measured part. */
  @Nested
  class WeakWritesTests {
    private static final String STORES =
        MadeUpRun.file(
            "stores",
            "driver: plain",
            "record: stock-order, records: 1000",
            """
      factors:
        path: [put, store]
      blocks: 2
      analyses: [ranking]
      """);

    static MadeUpRun stores() {
      return MadeUpRun.read(STORES);
    }

    private static BiConsumer<TrialSpec, Map<String, Metric>> keys(double distinct) {
      return (trial, metrics) ->
          metrics.put(Metric.DISTINCT_KEYS, Metric.neutral(distinct, "keys"));
    }

    private RunRecord run(double distinctKeys) {
      return stores().metrics(keys(distinctKeys)).load(runs, trial -> 1_000);
    }

    @Test
    void ofAPathThatDoesNotOverwriteTheShareOfRecordsNotStoredIsNamed() {
      assertThat(TreatmentNotes.weakWrites(run(1_000)))
          .extracting(Finding::id)
          .containsExactly("ranking.skipped-records");
      assertThat(TreatmentNotes.skipped(run(1_000)).get("store")).isCloseTo(0.602, within(1e-3));
      assertThat(TreatmentNotes.weakWrites(run(2_510))).as("a key for each record").isEmpty();
      assertThat(TreatmentNotes.weakWrites(stores().load(runs, trial -> 1_000)))
          .as("keys were not recorded")
          .isEmpty();
    }

    @Test
    void keysThatExistedBeforeALoadWereNotStoredByIt() {
      String load = STORES.replace("records: 1000", "records: 2000, keys: once, existing: 25%");
      RunRecord run = MadeUpRun.read(load).metrics(keys(2_510)).load(runs, trial -> 1_000);
      assertThat(TreatmentNotes.skipped(run).get("store")).isCloseTo(0.199, within(1e-3));
    }

    @Test
    void ofAPathThatLeftEarlierWritesTheShareOfItsKeysIsNamed() {
      RunRecord run =
          stores()
              .metrics(
                  (trial, metrics) -> {
                    metrics.put(Metric.DISTINCT_KEYS, Metric.neutral(2_510, "keys"));
                    if (trial.levels().get("path").equals("store")) {
                      metrics.put(Metric.LATE_KEYS, Metric.lowerIsBetter(251, "keys"));
                    }
                  })
              .load(runs, trial -> 1_000);
      assertThat(TreatmentNotes.weakWrites(run))
          .singleElement()
          .satisfies(
              finding ->
                  assertThat(finding.values())
                      .containsEntry("treatments", Value.names(List.of("store")))
                      .containsEntry("most", Value.share(0.1)));
    }
  }
}
