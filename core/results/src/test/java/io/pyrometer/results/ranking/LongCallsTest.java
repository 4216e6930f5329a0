package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongCallsTest {
  @TempDir Path runs;

  /** One in two thousand calls stalls for a second where the mean is that of such calls. */
  private RunRecord run(double meanOfStore) {
    return RunRecord.load(
        WeakWritesTest.stores()
            .metrics(
                (trial, metrics) -> {
                  boolean store = "store".equals(trial.levels().get("path"));
                  Map.of(
                          LatencyStatistic.MEAN, store ? meanOfStore : 1.0,
                          LatencyStatistic.P99, 2.0,
                          LatencyStatistic.MAX, store ? 1_010_000.0 : 100.0)
                      .forEach(
                          (statistic, micros) ->
                              metrics.put(
                                  Metric.latency("call", statistic),
                                  Metric.lowerIsBetter(micros, "µs")));
                })
            .write(runs, trial -> 1_000));
  }

  @Test
  void aTreatmentWithRareStallsIsNamedWithItsLongestCall() {
    assertThat(TreatmentNotes.longCalls(run(500)))
        .hasValueSatisfying(
            finding ->
                assertThat(finding.values())
                    .containsEntry("treatments", Value.names(List.of("store")))
                    .containsEntry("longest", Value.micros(1_010_000)));
  }

  @Test
  void aMeanBelowTwiceP99SaysNothing() {
    assertThat(TreatmentNotes.longCalls(run(3.9))).isEmpty();
  }
}
