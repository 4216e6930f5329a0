package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.protocol.HealthReport.Figures;
import io.pyrometer.protocol.message.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/** The operations and statements of performance statistics, those that took most time first. */
final class StatisticsTables {
  private static final List<String> OF_OPERATIONS =
      List.of("cache", "operation", "calls/s", "p50", "p99", "time", "most on node");
  private static final List<String> OF_STATEMENTS =
      List.of("statement", "calls/s", "p99", "time", "rows", "pages/row", "scans");

  private StatisticsTables() {}

  static List<Figures> of(PerformanceStatistics seen) {
    List<Figures> tables = new ArrayList<>();
    if (!seen.operations().isEmpty()) {
      tables.add(new Figures(OF_OPERATIONS, operations(seen)));
    }
    if (!seen.statements().isEmpty()) {
      tables.add(new Figures(OF_STATEMENTS, statements(seen)));
    }
    return tables;
  }

  /** An operation of a cache on all nodes. */
  private record Kind(int cache, OperationType type) {}

  /** {@code get-all} of {@code CACHE_GET_ALL}. */
  static String name(OperationType type) {
    return type.name().replaceFirst("^CACHE_", "").toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static List<List<Value>> operations(PerformanceStatistics seen) {
    Map<Kind, Map<UUID, Double>> byNode = new HashMap<>();
    seen.operations()
        .forEach(
            (operation, calls) ->
                byNode
                    .computeIfAbsent(
                        new Kind(operation.cache(), operation.type()), kind -> new HashMap<>())
                    .put(operation.node(), calls.seconds()));
    return byNode.entrySet().stream()
        .sorted(Comparator.comparingDouble(each -> -sum(each.getValue())))
        .map(each -> row(seen, each.getKey(), each.getValue()))
        .toList();
  }

  private static double sum(Map<UUID, Double> seconds) {
    return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static List<Value> row(
      PerformanceStatistics seen, Kind kind, Map<UUID, Double> secondsByNode) {
    Calls calls = seen.calls(each -> kind.equals(new Kind(each.cache(), each.type())));
    Map.Entry<UUID, Double> most =
        secondsByNode.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    String role = seen.servers().contains(most.getKey()) ? "server " : "";
    return List.of(
        Value.name(seen.cache(kind.cache())),
        Value.name(name(kind.type())),
        Value.rate(calls.count() / seen.seconds()),
        Value.micros(calls.micros(50)),
        Value.micros(calls.micros(99)),
        Value.share(calls.seconds() / seen.busySeconds()),
        Value.name(
            role
                + PerformanceStatistics.name(most.getKey())
                + " "
                + Value.share(most.getValue() / Math.max(1e-9, sum(secondsByNode))).text()));
  }

  private static List<List<Value>> statements(PerformanceStatistics seen) {
    return seen.statements().stream()
        .sorted(Comparator.comparingDouble(each -> -each.calls.seconds()))
        .map(each -> row(seen, each))
        .toList();
  }

  private static List<Value> row(PerformanceStatistics seen, Statement statement) {
    Set<String> scanned = StatisticsChecks.scanned(statement);
    return List.of(
        Value.name(StatisticsChecks.shown(statement.text)),
        Value.rate(statement.calls.count() / seen.seconds()),
        Value.micros(statement.calls.micros(99)),
        Value.share(statement.calls.seconds() / seen.busySeconds()),
        Value.number(statement.rows()),
        Value.number(statement.reads() / Math.max(1, statement.rows())),
        Value.names(scanned));
  }
}
