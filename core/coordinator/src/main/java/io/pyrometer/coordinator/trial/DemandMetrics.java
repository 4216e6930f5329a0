package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Service demands of one trial: what all clients and what all servers together used for one record.
 * By the utilisation law (Denning and Buzen 1978) a demand is utilisation over throughput, so that
 * it does not depend on how much the processes waited for each other.
 */
final class DemandMetrics {
  /** The most that an earlier trial may have left, of what a trial stores. */
  private static final double MAX_LEFTOVER = 0.05;

  /** Demand of a process: its usage, in the unit; empty where nothing counts it. */
  private record Demand(String name, String unit, Function<Answer.Used, Optional<Double>> used) {
    static Demand micros(String name, ToDoubleFunction<Answer.Used> seconds) {
      return new Demand(name, "µs", of -> Optional.of(1e6 * seconds.applyAsDouble(of)));
    }

    static Demand io(String name, String unit, ToDoubleFunction<Answer.Io> moved) {
      return new Demand(name, unit, of -> of.inside().io().map(moved::applyAsDouble));
    }
  }

  private static final List<Demand> DEMANDS =
      List.of(
          Demand.micros("user", Answer.Used::userSeconds),
          Demand.micros("system", Answer.Used::systemSeconds),
          Demand.micros("gc", used -> used.inside().collectorSeconds()),
          Demand.micros(Metric.DEMAND_JIT, used -> used.inside().compilerSeconds()),
          Demand.io(Metric.DEMAND_BYTES_OUT, "bytes", Answer.Io::writtenBytes),
          Demand.io(Metric.DEMAND_BYTES_IN, "bytes", Answer.Io::readBytes),
          Demand.io(Metric.DEMAND_MESSAGES_OUT, "calls", Answer.Io::writeCalls),
          Demand.io(Metric.DEMAND_MESSAGES_IN, "calls", Answer.Io::readCalls),
          new Demand(
              Metric.DEMAND_SWITCHES,
              "switches",
              used -> Optional.of((double) used.inside().contextSwitches())));

  private DemandMetrics() {}

  /**
   * Demand metrics of a trial; none where it finished nothing.
   *
   * @param once whether the load ended by itself, so that the processes were idle afterwards
   */
  static Map<String, Metric> of(ProcessUsage used, LoadTotals totals, boolean once) {
    Map<String, Metric> metrics = new TreeMap<>();
    if (totals.records() > 0) {
      // The processes are observed a little longer than the agents count.
      double share = once || used.seconds() <= 0 ? 1 : totals.seconds() / used.seconds();
      double perRecord = share / totals.records();
      metrics.put(Metric.CPU, Metric.lowerIsBetter(used.gridCpuSeconds() * 1e6 * perRecord, "µs"));
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
    double cpuMicros = 1e6 * perRecord * sum(processes, Answer.Used::cpuSeconds);
    metrics.put(role + Metric.DEMAND_CPU, Metric.lowerIsBetter(cpuMicros, "µs"));
    if (processes.stream().allMatch(each -> each.inside().equals(Answer.Inside.NONE))) {
      return; // they tell nothing else
    }
    for (Demand demand : DEMANDS) {
      ProcessUsage.sum(processes.stream().map(demand.used), Double::sum)
          .map(sum -> Metric.neutral(perRecord * sum, demand.unit))
          .ifPresent(metric -> metrics.put(role + demand.name, metric));
    }
  }

  private static double sum(List<Answer.Used> processes, ToDoubleFunction<Answer.Used> of) {
    return processes.stream().mapToDouble(of).sum();
  }

  /** CPU time of one server without load, without its compilers, which come to an end. */
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
   * Memory that a record takes in the servers' stores. Pages that an earlier trial left are used
   * again, so that there is no figure unless those are few.
   *
   * @param empty bytes stored by the servers without any records
   * @param before bytes stored before the trial's data were there
   */
  static Optional<Metric> stored(
      Optional<Long> empty, Optional<Long> before, Optional<Long> after, long records) {
    long leftOver = before.orElse(0L) - empty.orElse(0L);
    return memory(before, after, records)
        .filter(bytes -> leftOver < MAX_LEFTOVER * bytes.value() * records);
  }

  /**
   * Memory that a record takes on all servers together, with all its copies.
   *
   * @param before bytes stored before the trial's data were there
   */
  static Optional<Metric> memory(Optional<Long> before, Optional<Long> after, long records) {
    return before
        .flatMap(empty -> after.map(full -> Math.max(0, full - empty) / (double) records))
        .filter(bytes -> records > 0)
        .map(bytes -> Metric.neutral(bytes, "bytes"));
  }
}
