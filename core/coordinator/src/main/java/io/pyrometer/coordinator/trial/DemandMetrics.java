package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Service demands of one trial: what all clients and what all servers together used for one record.
 * By the utilisation law (Denning and Buzen 1978) a demand is utilisation over throughput, so that
 * it does not depend on how much the processes waited for each other.
 */
final class DemandMetrics {
  private DemandMetrics() {}

  /** Of a trial that finished nothing there are none. */
  static Map<String, Metric> of(ProcessUsage used, LoadTotals totals) {
    Map<String, Metric> metrics = new TreeMap<>();
    if (totals.records() > 0) {
      // The processes are observed a little longer than the agents count.
      double window = used.seconds() > 0 ? used.seconds() : totals.seconds();
      double perRecord = totals.seconds() / window / totals.records();
      addRole(metrics, Metric.DEMAND_OF_CLIENTS, used.agents(), perRecord);
      addRole(metrics, Metric.DEMAND_OF_SERVERS, used.nodes(), perRecord);
    }
    return metrics;
  }

  private static void addRole(
      Map<String, Metric> metrics, String role, List<Answer.Used> processes, double perRecord) {
    if (processes.isEmpty()) {
      return;
    }
    double micros = 1e6 * perRecord;
    metrics.put(
        role + Metric.DEMAND_CPU,
        Metric.lowerIsBetter(micros * sum(processes, Answer.Used::cpuSeconds), "µs"));
    Map<String, ToDoubleFunction<Answer.Used>> seconds =
        Map.of(
            "user",
            Answer.Used::userSeconds,
            "system",
            Answer.Used::systemSeconds,
            "gc",
            used -> used.inside().collectorSeconds(),
            "jit",
            used -> used.inside().compilerSeconds());
    seconds.forEach(
        (part, of) -> metrics.put(role + part, Metric.neutral(micros * sum(processes, of), "µs")));
    Map<String, ToDoubleFunction<Answer.Used>> bytes =
        Map.of(
            Metric.DEMAND_BYTES_OUT, used -> used.inside().writtenBytes(),
            Metric.DEMAND_BYTES_IN, used -> used.inside().readBytes());
    bytes.forEach(
        (way, of) ->
            metrics.put(role + way, Metric.neutral(perRecord * sum(processes, of), "bytes")));
    Map<String, ToDoubleFunction<Answer.Used>> calls =
        Map.of(
            Metric.DEMAND_MESSAGES_OUT, used -> used.inside().writeCalls(),
            Metric.DEMAND_MESSAGES_IN, used -> used.inside().readCalls());
    calls.forEach(
        (way, of) ->
            metrics.put(role + way, Metric.neutral(perRecord * sum(processes, of), "calls")));
  }

  private static double sum(List<Answer.Used> processes, ToDoubleFunction<Answer.Used> of) {
    return processes.stream().mapToDouble(of).sum();
  }

  /**
   * CPU time of one server without load, without its compilers, which come to an end.
   *
   * @param idle usage of a cluster on which nothing was done
   */
  static Optional<Metric> idle(ProcessUsage idle) {
    double seconds = sum(idle.nodes(), Answer.Used::upSeconds);
    if (seconds <= 0) {
      return Optional.empty();
    }
    double busy =
        sum(idle.nodes(), used -> Math.max(0, used.cpuSeconds() - used.inside().compilerSeconds()));
    return Optional.of(Metric.neutral(1e3 * busy / seconds, "ms/s"));
  }

  /**
   * Memory that a record takes on all servers together, with all its copies.
   *
   * @param before bytes stored before the trial's data were there
   * @param records different keys that are stored
   */
  static Optional<Metric> memory(OptionalLong before, OptionalLong after, long records) {
    return before.isPresent() && after.isPresent() && records > 0
        ? Optional.of(
            Metric.neutral(
                Math.max(0, after.getAsLong() - before.getAsLong()) / (double) records, "bytes"))
        : Optional.empty();
  }
}
