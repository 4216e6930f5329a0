package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
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
    return new LimitsAnalysis()
        .of(RunRecord.load(run.write(runs, trial -> 1_000))).get(0).findings().stream()
            .map(Finding::sentence)
            .toList();
  }

  @Test
  void aBusyMachineLimitsAndAnIdleOneHasCallsThatWait() {
    assertThat(findings("", "", 20, 100))
        .anySatisfy(
            s ->
                assertThat(s)
                    .isEqualTo("put-all is limited by the CPUs of the machine (utilisation 97 %)."))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("No resource is at its limit with put: calls wait")
                    .containsPattern(
                        "A call of put takes [\\d.]+ .s; all processes use 100 µs of CPU"));
  }

  @Test
  void callsThatUseTheCpuAllTheTimeAreTooFew() {
    assertThat(findings("", "", 60, 900))
        .anySatisfy(s -> assertThat(s).contains("with put: there are too few calls in flight"));
  }

  @Test
  void anOfferedRateThatLeavesRoomIsNoSignOfTooFewCalls() {
    assertThat(findings("", ", rate: 500", 20, 100))
        .anySatisfy(s -> assertThat(s).endsWith("with put: the offered rate needs no more."));
  }

  @Test
  void serversThatAreNotSeenMayBeTheLimit() {
    assertThat(findings("", "", 20, 0))
        .contains("It is not known what limits put: the servers' CPU time is not recorded.");
  }

  @Test
  void aQuotaOfTheServersIsALimitOfItsOwn() {
    assertThat(findings("", ", node-cpus: 0.25", 20, 500))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("put is limited by the CPU quota of the servers (utilisation 9"));
  }

  @Test
  void aLinkIsALimitOfItsOwn() {
    assertThat(findings("hosts: namespaces", ", link-rate: 1mbit", 20, 100))
        .anySatisfy(s -> assertThat(s).startsWith("put is limited by the links (utilisation 9"));
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
        new LimitsAnalysis().of(RunRecord.load(run.write(runs, trial -> 1_000))).get(0);
    assertThat(limits.findings().get(0).sentence())
        .startsWith("All treatments are limited by the disks (utilisation 93 %)");
    Table table = limits.result().sections().get(0).figures().get(0).table();
    assertThat(table.header()).contains("disks [%]", "striped queue");
    assertThat(table.rows().get(0)).contains("93", "2.5");
  }
}
