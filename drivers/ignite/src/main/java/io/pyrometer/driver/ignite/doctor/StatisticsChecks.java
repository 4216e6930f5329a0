package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Jobs;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Operation;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/** Checks of performance statistics, with the ids of those of a running cluster. */
final class StatisticsChecks {
  private static final double OPERATIONS_A_SECOND = 200;
  private static final double SHARE_OF_TIME = 0.1;

  /** Of a second in each second, over all callers. */
  private static final double BUSY = 0.1;

  private static final double READS = 1_000;
  private static final double READS_PER_ROW = 10;
  private static final double ROLLED_BACK = 0.01;
  private static final double LONG_SECONDS = 10;
  private static final int JOBS = 10;
  private static final double QUEUED_SECONDS = 0.01;
  private static final double CHECKPOINTS = 3;
  private static final double CHECKPOINTING = 0.8;
  private static final double THROTTLED = 0.01;
  private static final double CALLS = 100;
  private static final double TIMES_AS_LONG = 5;
  private static final double LATE_SECONDS = 0.05;
  private static final int MAX_SHOWN = 200;

  /** A scan in a plan of H2 or of Calcite. */
  private static final Pattern SCAN =
      Pattern.compile(
          "\"?([^\".\\s]+)\"?\\.__SCAN_|IgniteTableScan\\(table=\\[\\[[^,\\]]+, ([^\\]]+)\\]\\]");

  private final PerformanceStatistics seen;
  private final double seconds;
  private final double busy;

  private StatisticsChecks(PerformanceStatistics seen) {
    this.seen = seen;
    this.seconds = seen.seconds();
    this.busy = seen.busySeconds();
  }

  static List<Check> of(PerformanceStatistics seen) {
    StatisticsChecks checks = new StatisticsChecks(seen);
    return Stream.concat(
            SqlChecks.ALL.stream().filter(check -> check.name().equals("sql-literals")),
            Stream.of(
                check("missing-index", Check.SQL, checks::missingIndex),
                check("single-gets", Check.GENERAL, checks::singleGets),
                check("small-writes", Check.GENERAL, checks::smallWrites),
                check("rolled-back-transactions", Check.GENERAL, checks::rolledBack),
                check("long-transactions", Check.VIEWS, checks::longTransactions),
                check("thread-pools", Check.POOLS, checks::queuedJobs),
                check("checkpoints-without-pause", Check.PERSISTENCE, checks::checkpoints),
                check("checkpoint-buffer", Check.PERSISTENCE, checks::throttledWrites),
                check("uneven-load", Check.TROUBLESHOOTING, checks::slowServers)))
        .toList();
  }

  private static Check check(String name, String source, Consumer<Result> body) {
    return Check.ofCluster(name, source, (facts, result) -> body.accept(result));
  }

  /** Facts of the checks that look at a cluster's history of statements. */
  static Facts facts(PerformanceStatistics seen) {
    List<Row> rows =
        seen.statements().stream()
            .filter(statement -> statement.type == GridCacheQueryType.SQL_FIELDS)
            .map(statement -> new Row("", Map.of("sql", statement.text)))
            .toList();
    return new Facts(
        true,
        seen.seconds(),
        List.of(),
        List.of(),
        Map.of(Observation.STATEMENTS, rows),
        List.of(),
        Map.of(),
        Map.of(),
        Map.of());
  }

  /** Names of tables that a statement scans, in capital letters. */
  static Set<String> scanned(Statement statement) {
    return statement.plans.stream()
        .flatMap(plan -> SCAN.matcher(plan).results())
        .map(scan -> scan.group(1) == null ? scan.group(2) : scan.group(1))
        .map(table -> table.toUpperCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  static String shown(String sql) {
    String line = sql.replaceAll("\\s+", " ");
    return line.substring(0, Math.min(MAX_SHOWN, line.length()));
  }

  private void missingIndex(Result result) {
    double all = seen.statements().stream().mapToDouble(each -> each.calls.seconds()).sum();
    for (Statement statement : seen.statements()) {
      Set<String> scanned = scanned(statement);
      double reads = statement.reads();
      if (statement.calls.seconds() < SHARE_OF_TIME * all
          || reads < READS
          || reads < READS_PER_ROW * statement.rows()) {
        continue;
      }
      SearchedTable.of(statement.text, (schema, name) -> table(scanned, name)).stream()
          .limit(1)
          .forEach(search -> missingIndex(result, statement, search));
    }
  }

  private static Optional<Row> table(Set<String> scanned, String name) {
    return Optional.of(new Row("", Map.of("tableName", name)))
        .filter(table -> scanned.contains(name));
  }

  private void missingIndex(Result result, Statement statement, SearchedTable search) {
    double ofSecond = statement.calls.seconds() / seconds;
    Set<String> columns = new TreeSet<>(search.columns());
    String table = search.table().get("tableName");
    Draft draft = ofSecond > BUSY ? result.problem() : result.advice();
    draft
        .apart("table", table)
        .with("busy", Value.seconds(ofSecond))
        .with("columns", Value.names(columns))
        .with("column", Value.name(columns.iterator().next()))
        .costs(statement.calls.seconds() / busy)
        .evidence("calls", statement.calls.count(), table)
        .evidence("rows per call", statement.rows(), table)
        .evidence("pages read per call", statement.reads(), table)
        .evidence("p99 [ms]", statement.calls.micros(99) / 1e3, table)
        .evidence("statement", shown(statement.text), table);
  }

  private void singleGets(Result result) {
    single(OperationType.CACHE_GET, PerformanceStatistics.WRITES, 4, () -> result.advice())
        .ifPresent(draft -> draft.comparison("path", "get", "get-all"));
  }

  private void smallWrites(Result result) {
    Set<OperationType> gets = Set.of(OperationType.CACHE_GET, OperationType.CACHE_GET_ALL);
    single(OperationType.CACHE_PUT, gets, 1, () -> result.advice("single"))
        .ifPresent(draft -> draft.comparison("path", "put", "put-all"));
  }

  /**
   * Finds caches with many single operations.
   *
   * @param others of which the cache has few
   * @param least how many times as many as the others
   */
  private Optional<Draft> single(
      OperationType type, Set<OperationType> others, int least, Supplier<Draft> advice) {
    Map<Integer, Calls> found = new TreeMap<>();
    for (int cache :
        seen.operations().keySet().stream().map(Operation::cache).collect(Collectors.toSet())) {
      Calls calls = seen.calls(each -> each.cache() == cache && each.type() == type);
      long rest =
          seen.calls(each -> each.cache() == cache && others.contains(each.type())).count();
      if (calls.count() >= OPERATIONS_A_SECOND * seconds && calls.count() >= least * rest) {
        found.put(cache, calls);
      }
    }
    if (found.isEmpty()) {
      return Optional.empty();
    }
    double rate = found.values().stream().mapToDouble(Calls::count).sum() / seconds;
    double time = found.values().stream().mapToDouble(Calls::seconds).sum();
    Draft draft = advice.get().with("rate", Value.rate(rate)).costs(time / busy);
    found.forEach(
        (cache, calls) ->
            draft.evidence(type + " [1/s]", calls.count() / seconds, seen.cache(cache)));
    return Optional.of(draft.needs(Needs.CLIENTS));
  }

  private void rolledBack(Result result) {
    seen.transactions()
        .forEach(
            (caches, same) -> {
              long all = same.committed.count() + same.rolledBack.count();
              if (same.rolledBack.count() >= ROLLED_BACK * all && same.rolledBack.count() > 0) {
                result
                    .problem()
                    .apart("caches", names(caches))
                    .with("rolledBack", Value.share((double) same.rolledBack.count() / all))
                    .with("transactions", Value.count(all))
                    .costs(same.rolledBack.seconds() / busy)
                    .evidence("rolled back", same.rolledBack.count(), names(caches))
                    .evidence(
                        "their mean duration [ms]", same.rolledBack.mean() * 1e3, names(caches))
                    .evidence("that of commits", same.committed.mean() * 1e3, names(caches))
                    .needs(Needs.CLIENTS);
              }
            });
  }

  private String names(Set<Integer> caches) {
    return caches.isEmpty()
        ? "no cache"
        : caches.stream().map(seen::cache).collect(Collectors.joining(", "));
  }

  private void longTransactions(Result result) {
    seen.transactions()
        .forEach(
            (caches, same) -> {
              double longest = Math.max(same.committed.longest(), same.rolledBack.longest());
              if (longest > LONG_SECONDS) {
                result
                    .problem("recorded")
                    .apart("caches", names(caches))
                    .with("longest", Value.seconds(longest))
                    .evidence("p99 of commits [ms]", same.committed.micros(99) / 1e3, names(caches))
                    .change(Needs.CLIENTS, "defaultTxTimeout", 0, 30_000);
              }
            });
  }

  private void queuedJobs(Result result) {
    for (Jobs jobs : seen.jobs(node -> true)) {
      if (jobs.count() >= JOBS
          && jobs.queuedSeconds() > jobs.ranSeconds()
          && jobs.queuedSeconds() > QUEUED_SECONDS * jobs.count()) {
        result
            .problem("jobs")
            .apart("task", jobs.task())
            .with("queued", Value.seconds(jobs.queuedSeconds() / jobs.count()))
            .with("ran", Value.seconds(jobs.ranSeconds() / jobs.count()))
            .costs(jobs.queuedSeconds() / (jobs.queuedSeconds() + jobs.ranSeconds()))
            .evidence("jobs", jobs.count(), jobs.task())
            .needs(Needs.SERVERS);
      }
    }
  }

  private void checkpoints(Result result) {
    seen.checkpoints()
        .forEach(
            (node, calls) -> {
              double share = calls.seconds() / seconds;
              if (calls.count() >= CHECKPOINTS && share > CHECKPOINTING) {
                result
                    .problem()
                    .of("servers", PerformanceStatistics.name(node))
                    .costs("share", Math.min(1, share))
                    .evidence("checkpoints", calls.count())
                    .evidence("their mean duration [s]", calls.mean())
                    .needs(Needs.SERVERS);
              }
            });
  }

  private void throttledWrites(Result result) {
    seen.throttled()
        .forEach(
            (node, calls) -> {
              if (calls.seconds() > THROTTLED * seconds) {
                result
                    .problem("throttled")
                    .of("servers", PerformanceStatistics.name(node))
                    .with("held", Value.seconds(calls.seconds()))
                    .with("observed", Value.seconds(seconds))
                    .costs(calls.seconds() / seconds)
                    .evidence("throttled writes", calls.count())
                    .evidence("the longest [ms]", calls.longest() * 1e3)
                    .needs(Needs.SERVERS);
              }
            });
  }

  /**
   * Finds servers whose operations of thin clients and jobs take longer than the same ones of other
   * servers, or whose jobs begin later. Clients are left out, since their times include the
   * network.
   */
  private void slowServers(Result result) {
    if (seen.servers().size() < 2) {
      result.unjudged("few-servers");
    }
    for (UUID server : seen.servers()) {
      Likeness operations = operations(server);
      if (operations.own > TIMES_AS_LONG * operations.others
          && operations.own - operations.others > BUSY * seconds) {
        result
            .problem("recorded")
            .of("servers", PerformanceStatistics.name(server))
            .with("times", operations.times())
            .costs((operations.own - operations.others) / busy)
            .evidence("time of its operations and jobs [s]", operations.own)
            .evidence("the same as on other servers [s]", operations.others)
            .needs(Needs.SERVERS);
      }
      Likeness delays = delays(server);
      if (delays.own > TIMES_AS_LONG * delays.others
          && delays.own - delays.others > LATE_SECONDS) {
        result
            .problem("late")
            .of("servers", PerformanceStatistics.name(server))
            .with("times", delays.times())
            .evidence("mean delay of its jobs [s]", delays.own)
            .evidence("that of other servers [s]", delays.others)
            .needs(Needs.SERVERS);
      }
    }
  }

  /** Seconds of a server, and those that it would have if it were like the others. */
  private record Likeness(double own, double others) {
    Value times() {
      return Value.ratio(own / Math.max(others, 1e-3));
    }
  }

  private Likeness operations(UUID server) {
    double own = 0;
    double expected = 0;
    for (Map.Entry<Operation, Calls> each : seen.operations().entrySet()) {
      Operation operation = each.getKey();
      Calls others =
          seen.calls(
              other ->
                  other.cache() == operation.cache()
                      && other.type() == operation.type()
                      && !other.node().equals(server)
                      && seen.servers().contains(other.node()));
      if (operation.node().equals(server)
          && each.getValue().count() >= CALLS
          && others.count() >= CALLS) {
        own += each.getValue().seconds();
        expected += each.getValue().count() * others.mean();
      }
    }
    for (Jobs jobs : seen.jobs(server::equals)) {
      Optional<Jobs> others =
          seen.jobs(node -> !node.equals(server)).stream()
              .filter(other -> other.task().equals(jobs.task()) && other.count() >= JOBS)
              .findFirst();
      if (others.isPresent() && jobs.count() >= JOBS) {
        own += jobs.ranSeconds();
        expected += jobs.count() * others.get().ranSeconds() / others.get().count();
      }
    }
    return new Likeness(own, expected);
  }

  private Likeness delays(UUID server) {
    return new Likeness(
        seen.jobDelay(server).orElse(0),
        seen.servers().stream()
            .filter(other -> !other.equals(server))
            .flatMapToDouble(other -> seen.jobDelay(other).stream())
            .average()
            .orElse(Double.POSITIVE_INFINITY));
  }
}
