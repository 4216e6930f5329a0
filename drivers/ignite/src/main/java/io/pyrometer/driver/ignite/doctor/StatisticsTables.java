package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Operation;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.protocol.HealthReport.Figures;
import io.pyrometer.protocol.message.Value;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/** The operations and statements of performance statistics, those that took most time first. */
final class StatisticsTables {
  private static final List<String> OF_OPERATIONS =
      List.of("cache", "operation", "calls/s", "p50", "p99", "time", "most on node");
  private static final List<String> OF_STATEMENTS =
      List.of("statement", "calls/s", "p99", "time", "rows", "pages/row", "scans");

  private StatisticsTables() {}

  static List<Figures> of(PerformanceStatistics seen) {
    Map<List<Object>, List<Map.Entry<Operation, Calls>>> kinds =
        seen.operations.entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    each -> List.of(each.getKey().cache(), each.getKey().type())));
    List<List<Value>> operations =
        kinds.values().stream()
            .sorted(Comparator.comparingDouble(kind -> -sum(kind).seconds()))
            .map(kind -> row(seen, kind))
            .toList();
    List<List<Value>> statements = seen.byTime().stream().map(each -> row(seen, each)).toList();
    return Stream.of(new Figures(OF_OPERATIONS, operations), new Figures(OF_STATEMENTS, statements))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  /** {@code get-all} of {@code CACHE_GET_ALL}. */
  static String name(OperationType type) {
    return type.name().replaceFirst("^CACHE_", "").toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Calls sum(List<Map.Entry<Operation, Calls>> ofNodes) {
    Calls sum = new Calls();
    ofNodes.forEach(each -> sum.add(each.getValue()));
    return sum;
  }

  private static List<Value> row(
      PerformanceStatistics seen, List<Map.Entry<Operation, Calls>> ofNodes) {
    Map.Entry<Operation, Calls> longest =
        Collections.max(ofNodes, Comparator.comparingDouble(each -> each.getValue().seconds()));
    Operation most = longest.getKey();
    Calls calls = sum(ofNodes);
    double share = longest.getValue().seconds() / Math.max(1e-9, calls.seconds());
    return List.of(
        Value.name(seen.cache(most.cache())),
        Value.name(name(most.type())),
        Value.rate(calls.count() / seen.seconds()),
        Value.micros(calls.micros(50)),
        Value.micros(calls.micros(99)),
        Value.share(calls.seconds() / seen.busySeconds()),
        Value.name(
            (seen.servers.contains(most.node()) ? "server " : "")
                + PerformanceStatistics.name(most.node())
                + " "
                + Value.share(share).text()));
  }

  private static List<Value> row(PerformanceStatistics seen, Statement statement) {
    return List.of(
        Value.name(SqlChecks.shown(statement.text)),
        Value.rate(statement.calls.count() / seen.seconds()),
        Value.micros(statement.calls.micros(99)),
        Value.share(statement.calls.seconds() / seen.busySeconds()),
        Value.number(statement.rows()),
        Value.number(statement.reads() / Math.max(1, statement.rows())),
        Value.names(StatisticsChecks.wholeReads(statement.plans).keySet()));
  }
}
