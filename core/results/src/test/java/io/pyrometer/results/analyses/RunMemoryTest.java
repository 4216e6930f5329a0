package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.TrialSpec;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunMemoryTest {
  private static final Catalogue GRIDS = Catalogue.of(List.of(grid("one"), grid("two")));

  private static final String FILE =
      MadeUpRun.file(
          "memory",
          "nodes: 2",
          "record: stock-order",
          """
          factors:
            grid:
              - {label: One, set: {driver: one, path: put}}
              - {label: Two, set: {driver: two, path: put}}
          blocks: 3
          analyses: [ranking]
          """);

  @TempDir Path runs;

  private static DriverDescription grid(String name) {
    return MadeUpExperiment.grid(
        name,
        List.of(
            new PathDescription(
                "put", Job.WRITE, true, "Put.", Optional.of(Guarantee.OF_ONE), List.of())));
  }

  private List<RunAnalysis> of(BiConsumer<TrialSpec, Map<String, Metric>> metrics) {
    RunRecord run =
        MadeUpRun.of(ExperimentReader.read(FILE, "m.yaml", Path.of(""), GRIDS), GRIDS)
            .metrics(metrics)
            .load(runs, trial -> 1_000);
    return RunReport.of(run).analyses();
  }

  private static void resident(Map<String, Metric> metrics, String process, long mebibytes) {
    metrics.put(
        Metric.RESIDENT_BYTES_OF + process, Metric.neutral((double) (mebibytes << 20), "bytes"));
  }

  @Test
  void theMemoryOfAServerIsTheMeanOfTheServersWithoutAgentsAndHasAnInterval() {
    List<RunAnalysis> found =
        of(
            (trial, metrics) -> {
              boolean one = "One".equals(trial.levels().get("grid"));
              resident(metrics, "node-0", one ? 300 : 500 + 10L * trial.block());
              resident(metrics, "node-1", one ? 400 : 500 + 10L * trial.block());
              resident(metrics, "agent-0", 9_000);
              if (one) {
                metrics.put(Metric.SERVERS_START, Metric.lowerIsBetter(4.0 + trial.block(), "s"));
              }
            });
    assertThat(found).hasSize(1);
    List<List<String>> rows = FoundBy.table(found.get(0)).rows();
    assertThat(rows).hasSize(2);
    assertThat(rows).extracting(row -> row.get(1)).anyMatch(mean -> mean.startsWith("350"));
    assertThat(rows).extracting(row -> row.get(1)).contains("510 [485, 535]");
    assertThat(rows)
        .extracting(row -> row.get(2))
        .as("mean of 4, 5 and 6 s; not recorded")
        .containsExactlyInAnyOrder("5 [2.52, 7.48]", Table.ABSENT);
  }

  @Test
  void aRunThatRecordsTheMemoryOfOneProductAloneHasNoTable() {
    assertThat(
            of(
                (trial, metrics) -> {
                  if ("One".equals(trial.levels().get("grid"))) {
                    resident(metrics, "node-0", 300);
                  }
                }))
        .isEmpty();
  }
}
