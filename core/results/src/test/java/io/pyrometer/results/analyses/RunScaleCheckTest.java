package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunScaleCheckTest {
  private static final double SERVER_MICROS = 50;
  private static final double IDLE = 0.02;

  private static final String FILE =
      """
      pyrometer: 1
      name: scale
      question: Is it to scale?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, path: put}
      factors:
        quotas:
          - {label: small, set: {node-cpus: 0.1, agent-cpus: 0.4}}
          - {label: large, set: {node-cpus: 0.2, agent-cpus: LARGE_AGENT}}
        nodes: [1, 2]
      blocks: BLOCKS
      analyses: [scale-check]
      """;

  @TempDir Path runs;

  private RunAnalysis of(
      int blocks,
      double largeAgent,
      double noise,
      double clientMicros,
      ToDoubleFunction<TrialSpec> throughput) {
    String file =
        FILE.replace("BLOCKS", String.valueOf(blocks))
            .replace("LARGE_AGENT", String.valueOf(largeAgent));
    return RunScaleCheck.of(
            RunRecord.load(
                MadeUpRun.of(Fixture.read(file), Fixture.CATALOGUE)
                    .noise(noise)
                    .metrics((trial, metrics) -> demands(metrics, trial, clientMicros))
                    .write(runs, throughput)))
        .get(0);
  }

  /** What servers use idle is in the recorded demand of a record. */
  private static void demands(Map<String, Metric> metrics, TrialSpec trial, double clientMicros) {
    double rate = metrics.get(Metric.THROUGHPUT).value();
    double idle = nodes(trial) * IDLE / rate * 1e6;
    metrics.put(Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU, micros(clientMicros));
    metrics.put(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU, micros(SERVER_MICROS + idle));
    metrics.put(Metric.IDLE_SERVER, Metric.neutral(IDLE * 1e3, "ms/s"));
  }

  private static Metric micros(double value) {
    return Metric.neutral(value, "µs");
  }

  private static int nodes(TrialSpec trial) {
    return trial.settings().get(CoreSettings.NODES);
  }

  private static double quota(TrialSpec trial) {
    return trial.settings().get(CoreSettings.NODE_CPUS);
  }

  /** What servers carry whose quota is used for idle work first. */
  private static double carried(TrialSpec trial) {
    return nodes(trial) * (quota(trial) - IDLE) / SERVER_MICROS * 1e6;
  }

  private static String sentence(RunAnalysis analysis) {
    Finding only = analysis.findings().get(0);
    return only.sentence();
  }

  @Test
  void idleWorkThatDoesNotShrinkWithTheQuotasIsNoContradiction() {
    RunAnalysis analysis = of(4, 0.8, 0.005, 10, RunScaleCheckTest::carried);
    assertThat(sentence(analysis)).contains("to scale within 10 % in all 2 pairs of cells");
    List<String> row = analysis.studied().sections().get(0).exhibits().get(0).table().rows().get(0);
    assertThat(row.get(5)).as("as measured").startsWith("1.1");
    assertThat(row.get(6)).as("without idle work").matches("(0\\.99|1(\\.0\\d*)?) .*");
    assertThat(row.get(7)).startsWith("servers, 1");
  }

  @Test
  void theJvmThatSupervisesANativeServerUsesItsQuotaTooAndIsNoContradiction() {
    double supervisor = 0.02;
    String file = FILE.replace("BLOCKS", "4").replace("LARGE_AGENT", "0.8");
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(file), Fixture.CATALOGUE)
                .noise(0.005)
                .metrics(
                    (trial, metrics) -> {
                      metrics.put(Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU, micros(10));
                      metrics.put(
                          Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU, micros(SERVER_MICROS));
                      metrics.put(
                          Metric.MACHINE_SUPERVISORS,
                          Metric.neutral(100 * supervisor * nodes(trial) / MadeUpRun.CORES, "%"));
                    })
                .write(
                    runs,
                    trial -> nodes(trial) * (quota(trial) - supervisor) / SERVER_MICROS * 1e6));
    assertThat(sentence(RunScaleCheck.of(run).get(0)))
        .contains("to scale within 10 % in all 2 pairs of cells");
  }

  @Test
  void serversThatLoseAFifthAtTheLargerQuotaAreNotToScale() {
    assertThat(sentence(of(4, 0.8, 0.005, 10, t -> carried(t) * (quota(t) > 0.15 ? 0.8 : 1))))
        .contains("in 0 of 2 pairs of cells; not for", "0.2 against 0.1 CPUs");
  }

  @Test
  void clientsThatAreTheLimitAreComparedByTheirQuotas() {
    double clientMicros = 400;
    assertThat(
            sentence(
                of(
                    4,
                    0.8,
                    0.005,
                    clientMicros,
                    t -> t.settings().get(CoreSettings.AGENT_CPUS) / clientMicros * 1e6)))
        .contains("in all 2 pairs");
  }

  @Test
  void noiseOrASingleBlockDecidesNothing() {
    assertThat(sentence(of(3, 0.8, 0.2, 10, RunScaleCheckTest::carried)))
        .contains("in 0 of 2", "not decided for");
  }

  @Test
  void oneBlockHasNoInterval() {
    assertThat(sentence(of(1, 0.8, 0, 10, RunScaleCheckTest::carried)))
        .contains("in 0 of 2", "not decided for");
  }

  @Test
  void clientsThatDoNotScaleWithTheServersAreNoSuchPair() {
    assertThat(sentence(of(3, 0.5, 0.005, 10, RunScaleCheckTest::carried)))
        .contains("No two cells differ in their CPU quotas alone");
  }
}
