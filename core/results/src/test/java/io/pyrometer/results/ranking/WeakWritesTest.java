package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A made-up trial writes 10 records while it warms up and 2,500 in its measured part. */
class WeakWritesTest {
  private static final String STORES =
      """
      pyrometer: 1
      name: stores
      question: Which is faster?
      grid: {driver: plain}
      workload: {record: stock-order, records: 1000}
      factors:
        path: [put, store]
      blocks: 2
      analyses: [ranking]
      """;

  @TempDir Path runs;

  static MadeUpRun stores() {
    return MadeUpRun.of(Fixture.read(STORES), Fixture.CATALOGUE);
  }

  private RunRecord run(double distinctKeys) {
    return RunRecord.load(
        stores()
            .metrics(
                (trial, metrics) ->
                    metrics.put(Metric.DISTINCT_KEYS, Metric.neutral(distinctKeys, "keys")))
            .write(runs, trial -> 1_000));
  }

  @Test
  void ofAPathThatDoesNotOverwriteTheShareOfRecordsNotStoredIsNamed() {
    assertThat(TreatmentNotes.weakWrites(run(1_000)))
        .singleElement()
        .satisfies(finding -> assertThat(finding.id()).isEqualTo("ranking.skipped-records"));
    assertThat(TreatmentNotes.skipped(run(1_000)).get("store")).isCloseTo(0.602, within(1e-3));
  }

  @Test
  void keysThatExistedBeforeALoadWereNotStoredByIt() {
    String load = STORES.replace("records: 1000", "records: 2000, keys: once, existing: 25%");
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(load), Fixture.CATALOGUE)
                .metrics(
                    (trial, metrics) ->
                        metrics.put(Metric.DISTINCT_KEYS, Metric.neutral(2_510, "keys")))
                .write(runs, trial -> 1_000));
    assertThat(TreatmentNotes.skipped(run).get("store")).isCloseTo(0.199, within(1e-3));
  }

  @Test
  void ifEveryRecordHadAKeyOfItsOwnNothingIsSaid() {
    assertThat(TreatmentNotes.weakWrites(run(2_510))).isEmpty();
  }

  @Test
  void aRunThatDoesNotTellItsKeysSaysNothing() {
    RunRecord run = RunRecord.load(stores().write(runs, trial -> 1_000));
    assertThat(TreatmentNotes.weakWrites(run)).isEmpty();
  }

  @Test
  void ofAPathThatLeftEarlierWritesTheShareOfItsKeysIsNamed() {
    RunRecord run =
        RunRecord.load(
            stores()
                .metrics(
                    (trial, metrics) -> {
                      metrics.put(Metric.DISTINCT_KEYS, Metric.neutral(2_510, "keys"));
                      if (trial.levels().get("path").equals("store")) {
                        metrics.put(Metric.LATE_KEYS, Metric.lowerIsBetter(251, "keys"));
                      }
                    })
                .write(runs, trial -> 1_000));
    assertThat(TreatmentNotes.weakWrites(run))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.values())
                    .containsEntry("treatments", Value.names(List.of("store")))
                    .containsEntry("most", Value.share(0.1)));
  }
}
