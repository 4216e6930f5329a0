package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsAnalysisTest {
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

  @TempDir Path runs;

  /** Of put, with 1,000 records a second by one thread; put-all is always busy. */
  private List<String> findings(String grid, String workload, double busy, double cpuMicros) {
    MadeUpRun run =
        MadeUpRun.of(Fixture.read(FILE.formatted(grid, workload)), Fixture.CATALOGUE)
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
    return new TableAnalyses.Limits()
        .of(RunRecord.load(run.write(runs, trial -> 1_000))).get(0).findings().stream()
            .map(f -> FoundBy.value(f, "treatments") + " " + f.id())
            .toList();
  }

  @Test
  void aBusyMachineLimitsAndAnIdleOneHasCallsThatWait() {
    assertThat(findings("", "", 20, 100))
        .containsExactlyInAnyOrder("put-all limits.machine", "put limits.waits");
  }

  @Test
  void callsThatUseTheCpuAllTheTimeAreTooFew() {
    assertThat(findings("", "", 60, 900)).contains("put limits.few-calls");
  }

  @Test
  void anOfferedRateThatLeavesRoomIsNoSignOfTooFewCalls() {
    assertThat(findings("", ", rate: 500", 20, 100)).contains("put limits.offered-rate");
  }

  @Test
  void serversThatAreNotSeenMayBeTheLimit() {
    assertThat(findings("", "", 20, 0)).contains("put limits.unknown");
  }

  @Test
  void aQuotaOfTheServersIsALimitOfItsOwn() {
    assertThat(findings("", ", node-cpus: 0.25", 20, 500)).contains("put limits.servers");
  }

  @Test
  void aLinkIsALimitOfItsOwn() {
    assertThat(findings("hosts: namespaces", ", link-rate: 1mbit", 20, 100))
        .contains("put limits.links");
  }

  @Test
  void aBusyDiskLimitsAndTasksThatWaitForAStripeAreShown() {
    MadeUpRun run =
        MadeUpRun.of(Fixture.read(FILE.formatted("", "")), Fixture.CATALOGUE)
            .metrics(
                (trial, metrics) -> {
                  metrics.put(Metric.MACHINE + "busy", Metric.neutral(30, "%"));
                  metrics.put("io.disk-busy-max.nodes", Metric.lowerIsBetter(93, "%"));
                  metrics.put("grid.striped-pool.queue.mean.nodes", Metric.neutral(2.5, "tasks"));
                });
    RunAnalysis limits =
        new TableAnalyses.Limits().of(RunRecord.load(run.write(runs, trial -> 1_000))).get(0);
    assertThat(FoundBy.ids(limits)).containsExactly("limits.disks");
    assertThat(FoundBy.value(limits.findings().get(0), "utilisation")).isEqualTo("93 %");
    Table table = limits.result().sections().get(0).figures().get(0).table();
    assertThat(table.header()).contains("disks [%]", "striped queue");
    assertThat(table.rows().get(0)).contains("93", "2.5");
  }
}
