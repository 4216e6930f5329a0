package io.pyrometer.results.compare;

import io.pyrometer.journal.Interleaving;
import io.pyrometer.results.NamedMetric;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which metrics a comparison judges, by their names, such as {@code latency.get.p99}, or in the
 * forms {@code p99(get)} and, of all operations, {@code p99}.
 *
 * @param only these; empty for throughput, CPU time, p50 and p99
 * @param further judged as well
 */
public record JudgedMetrics(Set<String> only, Set<String> further) {
  /** Throughput, CPU time per record, and p50 and p99 of each operation. */
  public static final JudgedMetrics USUAL = new JudgedMetrics(Set.of(), Set.of());

  public JudgedMetrics {
    only = Set.copyOf(only);
    further = Set.copyOf(further);
  }

  /** Those that an interleaved run was planned with, with those that are given now. */
  static JudgedMetrics of(Interleaving plan, JudgedMetrics given) {
    if (!given.only.isEmpty()) {
      return given;
    }
    Set<String> further = new TreeSet<>(plan.metrics());
    further.addAll(given.further);
    return new JudgedMetrics(Set.copyOf(plan.only()), further);
  }

  boolean include(NamedMetric metric) {
    boolean usual = only.isEmpty() && metric.standard();
    return usual || named().anyMatch(name -> isName(name, metric));
  }

  /** The names that none of some metrics has. */
  Stream<String> unknown(Collection<NamedMetric> metrics) {
    return named().filter(name -> metrics.stream().noneMatch(metric -> isName(name, metric)));
  }

  private Stream<String> named() {
    return Stream.concat(only.stream(), further.stream());
  }

  private static boolean isName(String name, NamedMetric metric) {
    return name.equals(metric.name())
        || metric
            .latency()
            .filter(
                of ->
                    name.equals(of.statistic().label())
                        || name.equals("%s(%s)".formatted(of.statistic().label(), of.operation())))
            .isPresent();
  }
}
