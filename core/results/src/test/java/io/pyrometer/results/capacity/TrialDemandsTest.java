package io.pyrometer.results.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialDemandsTest {
  @TempDir Path runs;

  private static void demands(TrialSpec trial, Map<String, Metric> metrics) {
    metrics.put(Metric.DEMAND_OF_CLIENTS + "cpu", Metric.neutral(50, "µs"));
    metrics.put(Metric.DEMAND_OF_SERVERS + "cpu", Metric.neutral(100, "µs"));
  }

  private List<TrialDemands> of(String grid) {
    String file =
        MadeUpRun.file(
                "copies",
                "driver: rich, nodes: 4, %s",
                "record: stock-order, records: 1000, path: put",
                "blocks: 1\n")
            .formatted(grid);
    RunRecord run =
        MadeUpRun.read(file).metrics(TrialDemandsTest::demands).load(runs, trial -> 1_000);
    return run.counting().stream()
        .flatMap(trial -> TrialDemands.of(run.plan(), trial).stream())
        .toList();
  }

  @Test
  void theServersOfAnAttachedGridAreThoseThatATrialFound() {
    String file =
        MadeUpRun.file(
            "theirs",
            "driver: rich, attach: \"10.0.0.1:47500\", backups: 1",
            "record: stock-order, records: 1000, path: put",
            "blocks: 1\n");
    RunRecord run =
        MadeUpRun.changed(
            MadeUpRun.read(file).metrics(TrialDemandsTest::demands).write(runs, trial -> 1_000),
            trial -> MadeUpRun.with(trial, Map.of(Answer.Prepared.SERVERS, "3")));
    assertThat(TrialDemands.of(run.plan(), run.counting().get(0)).orElseThrow().servers())
        .isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"backups: 2, 2", "cache-mode: REPLICATED, 3"})
  void aReplicatedCacheHasACopyOnEveryOtherServerAndAnotherItsBackups(String grid, int backups) {
    assertThat(of(grid)).singleElement().extracting(TrialDemands::backups).isEqualTo(backups);
  }

  @Test
  void aServerWithLessCpuThanItUsesIdleCarriesNothing() {
    TrialDemands demands = of("backups: 0").get(0);
    assertThat(demands.serversBound(1))
        .isCloseTo(4 / 100e-6, org.assertj.core.data.Offset.offset(1.0));
    assertThat(demands.serversBound(-1)).isZero();
  }
}
