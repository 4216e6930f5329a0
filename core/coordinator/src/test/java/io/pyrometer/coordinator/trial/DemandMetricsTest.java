package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DemandMetricsTest {
  private static Answer.Used used(double user, double system, double jit, long written) {
    return used(user, system, jit, Optional.of(new Answer.Io(1_000, 10, written, 20)));
  }

  private static Answer.Used used(double user, double system, double jit, Optional<Answer.Io> io) {
    Answer.Inside inside = new Answer.Inside(0.5, jit, io, 30, Optional.empty());
    return new Answer.Used(user, system, 0, 0, 10, 0, 0, 0, 2, "", inside, Optional.empty());
  }

  private static LoadTotals totals(long records) {
    return LoadTotals.of(List.of(FakeGrid.finished(10, records, 0)));
  }

  private static double value(Map<String, Metric> metrics, String name) {
    return metrics.get(name).value();
  }

  @Test
  void theDemandOfARoleIsTheSumOverItsProcessesForOneRecord() {
    Map<String, Metric> metrics =
        DemandMetrics.of(
            new ProcessUsage(
                Map.of(
                    "agent-0", used(2, 1, 0, 5_000),
                    "node-0", used(3, 1, 1, 7_000),
                    "node-1", used(5, 1, 1, 9_000),
                    "relay-0", used(9, 9, 9, 9_000))),
            totals(1_000),
            false);
    assertThat(value(metrics, "demand.clients.cpu")).isEqualTo(3_000, within(1e-9));
    assertThat(value(metrics, "demand.servers.cpu")).isEqualTo(10_000, within(1e-9));
    assertThat(value(metrics, "demand.servers.system")).isEqualTo(2_000, within(1e-9));
    assertThat(value(metrics, "demand.servers.gc")).isEqualTo(1_000, within(1e-9));
    assertThat(value(metrics, "demand.servers.jit")).isEqualTo(2_000, within(1e-9));
    assertThat(value(metrics, "demand.servers.bytes-out")).isEqualTo(16, within(1e-9));
    assertThat(value(metrics, "demand.servers.messages-out")).isEqualTo(0.04, within(1e-9));
    assertThat(value(metrics, "demand.servers.context-switches")).isEqualTo(0.06, within(1e-9));
  }

  @Test
  void bytesThatOneProcessDoesNotCountAreNoFigureOfItsRole() {
    Map<String, Answer.Used> processes =
        Map.of(
            "agent-0", used(2, 1, 0, 5_000),
            "node-0", used(3, 1, 1, 7_000),
            "node-1", used(5, 1, 1, Optional.empty()));
    Map<String, Metric> metrics =
        DemandMetrics.of(new ProcessUsage(processes), totals(1_000), false);
    assertThat(value(metrics, "demand.servers.cpu")).isEqualTo(10_000, within(1e-9));
    assertThat(metrics)
        .doesNotContainKeys("demand.servers.bytes-out", "demand.servers.messages-in");
    assertThat(value(metrics, "demand.clients.bytes-out")).isEqualTo(5, within(1e-9));
  }

  /** Over the 10 s in which the processes are observed the load lasts 2 s. */
  @Test
  void theDemandOfALoadThatEndsIsAllThatWasUsed() {
    LoadTotals load = LoadTotals.of(List.of(FakeGrid.finished(2, 1_000, 0)));
    ProcessUsage used = new ProcessUsage(Map.of("agent-0", used(2, 1, 0, 5_000)));
    assertThat(value(DemandMetrics.of(used, load, true), "demand.clients.cpu"))
        .isEqualTo(3_000, within(1e-9));
    assertThat(value(DemandMetrics.of(used, load, false), "demand.clients.cpu"))
        .isEqualTo(600, within(1e-9));
  }

  @Test
  void idleTimeIsThatOfOneServerWithoutItsCompilers() {
    ProcessUsage idle =
        new ProcessUsage(Map.of("node-0", used(0.2, 0.2, 0.1, 0), "node-1", used(0.1, 0, 0, 0)));
    assertThat(DemandMetrics.idle(idle).orElseThrow().value()).isEqualTo(20, within(1e-9));
    assertThat(DemandMetrics.idle(new ProcessUsage(Map.of()))).isEmpty();
  }

  @Test
  void memoryOfAStoreIsKnownOnlyWhereEarlierTrialsLeftLittle() {
    assertThat(stored(1_000, 1_000, 31_000))
        .hasValueSatisfying(bytes -> assertThat(bytes.value()).isEqualTo(300, within(1e-9)));
    assertThat(stored(1_000, 2_000, 31_000)).isPresent();
    assertThat(stored(1_000, 16_000, 31_000)).isEmpty();
    assertThat(stored(1_000, 31_000, 31_000)).isEmpty();
    assertThat(stored(1_000, 1_000, 1_000)).isEmpty();
  }

  private static Optional<Metric> stored(long empty, long before, long after) {
    return DemandMetrics.stored(Optional.of(empty), Optional.of(before), Optional.of(after), 100);
  }
}
