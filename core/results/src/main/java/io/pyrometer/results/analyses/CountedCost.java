package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.profile.StackCategories;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What was counted in some trials of one treatment: CPU time, messages, bytes.
 *
 * @param trials at least one, by block
 * @param profile its sampled stacks
 */
record CountedCost(List<TrialRecord> trials, Optional<CpuProfile> profile) {
  /** What nothing that was counted or sampled accounts for. */
  static final String NOT_EXPLAINED = "not explained";

  private static final String KERNEL = "system";
  private static final double CONFIDENCE = 0.95;
  private static final double MICRO = 1e-6;

  private static final Map<String, String> ROLES =
      Map.of(
          CpuProfile.CLIENTS, Metric.DEMAND_OF_CLIENTS,
          CpuProfile.SERVERS, Metric.DEMAND_OF_SERVERS);

  /** CPU time of all processes for one record, µs. */
  static double cpu(TrialRecord trial) {
    return trial.value(Metric.CPU).orElse(Double.NaN);
  }

  /** How many CPUs the processes used on average: the utilisation law. */
  static double busy(TrialRecord trial) {
    return cpu(trial) * MICRO * trial.throughput().orElse(Double.NaN);
  }

  /** Whether the CPU time of clients and of servers is known in every trial. */
  boolean cpuIsWhole() {
    return trials.stream().allMatch(trial -> trial.value(Metric.CPU).orElse(0.0) > 0)
        && of(Metric.DEMAND_CPU).isPresent();
  }

  double geometric(ToDoubleFunction<TrialRecord> figure) {
    return Means.geometric(trials.stream().mapToDouble(figure).toArray(), "", CONFIDENCE).value();
  }

  /** Another's figure by this one's in the same blocks. */
  Estimate timesLess(CountedCost other, ToDoubleFunction<TrialRecord> figure) {
    return Means.geometric(
        IntStream.range(0, trials.size())
            .mapToDouble(
                i ->
                    figure.applyAsDouble(other.trials.get(i)) / figure.applyAsDouble(trials.get(i)))
            .toArray(),
        "",
        CONFIDENCE);
  }

  /** Of both roles for one record; empty where some trial lacks that of one. */
  OptionalDouble of(String counter) {
    return trials.stream()
            .allMatch(
                trial ->
                    ROLES.values().stream()
                        .allMatch(role -> trial.value(role + counter).isPresent()))
        ? OptionalDouble.of(ROLES.keySet().stream().mapToDouble(role -> of(role, counter)).sum())
        : OptionalDouble.empty();
  }

  private double of(String role, String counter) {
    return values(role, counter).average().orElse(0);
  }

  private DoubleStream values(String role, String counter) {
    String name = ROLES.get(role) + counter;
    return trials.stream().flatMap(trial -> trial.value(name).stream()).mapToDouble(v -> v);
  }

  double cpuOf(String role) {
    return of(role, Metric.DEMAND_CPU);
  }

  double calls() {
    return trials.stream()
        .mapToDouble(t -> t.counts().calls() / (double) Math.max(1, t.counts().records()))
        .average()
        .orElse(0);
  }

  /**
   * The CPU time of a role for one record by what it was used for, µs: as far as this is known of
   * both, so that they can be compared.
   */
  Map<String, Double> parts(String role, CountedCost other) {
    Map<String, Double> parts = new TreeMap<>();
    double rest = cpuOf(role);
    boolean modes = hasModes(role) && other.hasModes(role);
    if (modes) {
      double jit = of(role, Metric.DEMAND_JIT);
      double gc = of(role, "gc");
      parts.put(StackCategories.JIT, jit);
      parts.put(StackCategories.GC, gc);
      rest = Math.max(0, rest - jit - gc);
    }
    Map<String, Double> shares = shares(role);
    if (shares.isEmpty() || other.shares(role).isEmpty()) {
      double kernel = modes && rest > 0 ? Math.min(1, of(role, KERNEL) / rest) : 0;
      // Beside the categories of the other role its name says whose time it is.
      boolean divided = profile.isPresent() && other.profile.isPresent();
      String name = divided ? "kernel of " + role : "kernel";
      shares = Map.of(name, kernel, NOT_EXPLAINED, 1 - kernel);
    }
    for (Map.Entry<String, Double> share : shares.entrySet()) {
      String part = share.getKey().equals(StackCategories.OTHER) ? NOT_EXPLAINED : share.getKey();
      parts.merge(part, rest * share.getValue(), Double::sum);
    }
    return parts;
  }

  private boolean hasModes(String role) {
    return values(role, KERNEL).count() == trials.size();
  }

  private Map<String, Double> shares(String role) {
    return profile.map(of -> of.shares(role)).orElse(Map.of());
  }
}
