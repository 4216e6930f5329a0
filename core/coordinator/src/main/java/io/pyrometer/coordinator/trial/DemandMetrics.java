package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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

  /** Demand of a process: its usage times the scale, in the unit; empty where nothing counts it. */
  private record Demand(
      String name, String unit, double scale, Function<Answer.Used, Optional<Double>> used) {
    static Demand of(String name, String unit, double scale, ToDoubleFunction<Answer.Used> used) {
      return new Demand(name, unit, scale, process -> Optional.of(used.applyAsDouble(process)));
    }

    static Demand io(String name, String unit, ToDoubleFunction<Answer.Io> moved) {
      return new Demand(name, unit, 1, process -> process.inside().io().map(moved::applyAsDouble));
    }
  }

  private static final List<Demand> DEMANDS =
      List.of(
          Demand.of("user", "µs", 1e6, Answer.Used::userSeconds),
          Demand.of("system", "µs", 1e6, Answer.Used::systemSeconds),
          Demand.of("gc", "µs", 1e6, used -> used.inside().collectorSeconds()),
          Demand.of(Metric.DEMAND_JIT, "µs", 1e6, used -> used.inside().compilerSeconds()),
          Demand.io(Metric.DEMAND_BYTES_OUT, "bytes", Answer.Io::writtenBytes),
          Demand.io(Metric.DEMAND_BYTES_IN, "bytes", Answer.Io::readBytes),
          Demand.io(Metric.DEMAND_MESSAGES_OUT, "calls", Answer.Io::writeCalls),
          Demand.io(Metric.DEMAND_MESSAGES_IN, "calls", Answer.Io::readCalls),
          Demand.of(
              Metric.DEMAND_SWITCHES, "switches", 1, used -> used.inside().contextSwitches()));

  private DemandMetrics() {}

  /**
   * Demand metrics of a trial; none where it finished nothing.
   *
   * @param once whether the load ended by itself, so that the processes were idle afterwards
   */
  static Map<String, Metric> of(ProcessUsage used, LoadTotals totals, boolean once) {
    Map<String, Metric> metrics = new TreeMap<>();
    if (totals.records() > 0) {
      // The processes are observed a little longer than the agents count, and than a load lasts.
      double window = once || used.seconds() <= 0 ? totals.seconds() : used.seconds();
      double perRecord = totals.seconds() / window / totals.records();
      metrics.put(Metric.CPU, Metric.lowerIsBetter(used.gridCpuSeconds() * 1e6 * perRecord, "µs"));
      addRole(metrics, Metric.DEMAND_OF_CLIENTS, used.agents(), perRecord);
      addRole(metrics, Metric.DEMAND_OF_SERVERS, used.nodes(), perRecord);
    }
    return metrics;
  }

  private static void addRole(
      Map<String, Metric> metrics, String role, List<Answer.Used> processes, double perRecord) {
    if (!processes.isEmpty()) {
      double cpuMicros = 1e6 * perRecord * sum(processes, Answer.Used::cpuSeconds);
      metrics.put(role + Metric.DEMAND_CPU, Metric.lowerIsBetter(cpuMicros, "µs"));
      if (processes.stream().allMatch(each -> each.inside().equals(Answer.Inside.NONE))) {
        return; // they tell nothing else
      }
      for (Demand demand : DEMANDS) {
        List<Double> used =
            processes.stream().flatMap(each -> demand.used.apply(each).stream()).toList();
        if (used.size() == processes.size()) {
          double sum = used.stream().mapToDouble(each -> each).sum();
          metrics.put(
              role + demand.name, Metric.neutral(demand.scale * perRecord * sum, demand.unit));
        }
      }
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
      OptionalLong empty, OptionalLong before, OptionalLong after, long records) {
    return memory(before, after, records)
        .filter(
            bytes -> before.orElse(0) - empty.orElse(0) < MAX_LEFTOVER * bytes.value() * records);
  }

  /**
   * Memory that a record takes on all servers together, with all its copies.
   *
   * @param before bytes stored before the trial's data were there
   */
  static Optional<Metric> memory(OptionalLong before, OptionalLong after, long records) {
    return before.isPresent() && after.isPresent() && records > 0
        ? Optional.of(
            Metric.neutral(
                Math.max(0, after.getAsLong() - before.getAsLong()) / (double) records, "bytes"))
        : Optional.empty();
  }
}
