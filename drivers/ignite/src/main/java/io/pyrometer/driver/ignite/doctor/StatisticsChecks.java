package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Job;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Operation;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.protocol.HealthReport.Figures;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/** Tables and checks of performance statistics, with the ids of those of a running cluster. */
final class StatisticsChecks {
  private static final List<String> OF_OPERATIONS =
      List.of("cache", "operation", "calls/s", "p50", "p99", "time", "most on node");
  private static final List<String> OF_STATEMENTS =
      List.of("statement", "calls/s", "p99", "time", "rows", "pages/row", "scans");

  private static final double OPERATIONS_A_SECOND = 200;
  private static final double SHARE_OF_TIME = 0.1;

  /** Busy seconds in each second, over all callers. */
  private static final double BUSY = 0.1;

  private static final double READS = 1_000;
  private static final double READS_PER_ROW = 10;
  private static final double ROLLED_BACK = 0.01;
  private static final double LONG_SECONDS = 10;
  private static final int JOBS = 10;
  private static final double QUEUED_MILLIS = 10;
  private static final double CHECKPOINTS = 3;
  private static final double CHECKPOINTING = 0.8;
  private static final double THROTTLED = 0.01;
  private static final double TIMES_AS_LONG = 5;
  private static final double LATE_MILLIS = 50;

  /** A single pause is no slow server. */
  private static final long LATE_SECONDS = 3;

  /**
   * A table that a plan reads without a bound: of H2 its name and the index that it goes through
   * ({@value #NO_INDEX} for none; bounds would follow a colon), of Calcite its name.
   */
  private static final Pattern WHOLE =
      Pattern.compile(
          "([^\\s\".]+)\"?\\s+\\w+\\s*/\\* (?:\\S+\\.)?\"?(\\w+)\"? \\*/"
              + "|IgniteTableScan\\(table=\\[\\[[^,\\]]+, ([^\\]]+)\\]\\]");

  private static final String NO_INDEX = "__SCAN_";

  private final PerformanceStatistics seen;
  private final double seconds;
  private final double busy;

  StatisticsChecks(PerformanceStatistics seen) {
    this.seen = seen;
    this.seconds = seen.seconds();
    this.busy = seen.busySeconds();
  }

  List<Check> checks() {
    return List.of(
        check("missing-index", this::missingIndex),
        check("single-gets", this::singleGets),
        check("rolled-back-transactions", this::rolledBack),
        check("long-transactions", this::longTransactions),
        check("thread-pools", this::queuedJobs),
        check("checkpoints-without-pause", this::checkpoints),
        check("checkpoint-buffer", this::throttledWrites),
        check("uneven-load", this::slowServers));
  }

  private static Check check(String name, Consumer<Result> body) {
    return Check.of(name, body::accept);
  }

  /** Facts of the length of the recording alone; these checks look at the statistics. */
  Facts facts() {
    return Facts.of(true, seconds, List.of(), List.of(), "");
  }

  /** The operations and statements, those that took most time first. */
  List<Figures> tables() {
    Map<List<Object>, Map<Operation, Calls>> kinds = new HashMap<>();
    seen.operations.forEach(
        (each, calls) ->
            kinds
                .computeIfAbsent(List.of(each.cache(), each.type()), kind -> new HashMap<>())
                .put(each, calls));
    List<List<Value>> operations =
        kinds.values().stream()
            .sorted(Comparator.comparingDouble(kind -> -Calls.sum(kind.values()).seconds()))
            .map(this::row)
            .toList();
    List<List<Value>> statements = seen.byTime().stream().map(this::row).toList();
    return Stream.of(new Figures(OF_OPERATIONS, operations), new Figures(OF_STATEMENTS, statements))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  private List<Value> row(Map<Operation, Calls> ofNodes) {
    Map.Entry<Operation, Calls> longest =
        Collections.max(
            ofNodes.entrySet(), Comparator.comparingDouble(e -> e.getValue().seconds()));
    Operation most = longest.getKey();
    Calls calls = Calls.sum(ofNodes.values());
    double share = longest.getValue().seconds() / Math.max(1e-9, calls.seconds());
    return List.of(
        Value.name(seen.cache(most.cache())),
        Value.name(most.name()),
        Value.rate(calls.count() / seconds),
        Value.micros(calls.micros(50)),
        Value.micros(calls.micros(99)),
        Value.share(calls.seconds() / busy),
        Value.name(
            (seen.servers.contains(most.node()) ? "server " : "")
                + PerformanceStatistics.name(most.node())
                + " "
                + Value.share(share).text()));
  }

  private List<Value> row(Statement statement) {
    return List.of(
        Value.name(SqlChecks.shown(statement.text)),
        Value.rate(statement.calls.count() / seconds),
        Value.micros(statement.calls.micros(99)),
        Value.share(statement.calls.seconds() / busy),
        Value.number(statement.rows()),
        Value.number(statement.reads() / Math.max(1, statement.rows())),
        Value.names(wholeReads(statement.plans).keySet()));
  }

  /** Names of tables that a statement reads as a whole, in capital letters, with their index. */
  static Map<String, String> wholeReads(Collection<String> plans) {
    Map<String, String> found = new TreeMap<>();
    plans.stream()
        .flatMap(plan -> WHOLE.matcher(plan).results())
        .forEach(
            read ->
                found.put(
                    SelectBlock.upper(read.group(1) == null ? read.group(3) : read.group(1)),
                    read.group(2) == null ? NO_INDEX : read.group(2)));
    return found;
  }

  private void missingIndex(Result result) {
    double all = seen.statementSeconds();
    for (Statement statement : seen.statements.values()) {
      Map<String, String> whole = wholeReads(statement.plans);
      double reads = statement.reads();
      if (statement.calls.seconds() >= SHARE_OF_TIME * all
          && reads >= READS
          && reads >= READS_PER_ROW * statement.rows()) {
        SelectBlock.of(statement.text, SelectBlock.Catalog.ANY).stream()
            .flatMap(block -> block.limited().stream())
            .filter(search -> whole.containsKey(search.name()))
            .limit(1)
            .forEach(search -> missingIndex(result, statement, search, whole));
      }
    }
  }

  private void missingIndex(
      Result result, Statement statement, SearchedTable search, Map<String, String> whole) {
    double ofSecond = statement.calls.seconds() / seconds;
    String table = search.name();
    String index = whole.getOrDefault(table, NO_INDEX);
    boolean scan = index.equals(NO_INDEX);
    Set<String> columns = new TreeSet<>(search.columns());
    columns.addAll(scan ? Set.of() : search.converted().keySet());
    if (columns.isEmpty()) {
      return;
    }
    result
        .draft(ofSecond > BUSY ? Severity.PROBLEM : Severity.ADVICE, scan ? "" : "unused")
        .apart("table", table)
        .with("busy", Value.seconds(ofSecond))
        .with("columns", Value.names(columns))
        .with("column", Value.name(columns.iterator().next()))
        .with("index", Value.name(index))
        .costs(statement.calls.seconds() / busy)
        .evidence("calls", statement.calls.count(), table)
        .evidence("rows per call", statement.rows(), table)
        .evidence("pages read per call", statement.reads(), table)
        .evidence("statement", SqlChecks.shown(statement.text), table);
  }

  private void singleGets(Result result) {
    Map<String, Calls> found = new TreeMap<>();
    for (int cache : seen.caches()) {
      Calls gets = seen.calls(cache, OperationType.CACHE_GET::equals);
      long others = seen.calls(cache, type -> true).count() - gets.count();
      long ofNode = gets.byNode().values().stream().mapToLong(each -> each).max().orElse(0);
      if (ofNode >= OPERATIONS_A_SECOND * seconds && gets.count() >= 4 * others) {
        found.put(seen.cache(cache), gets);
      }
    }
    if (!found.isEmpty()) {
      Calls all = Calls.sum(found.values());
      Draft draft =
          result
              .found()
              .with("rate", Value.rate(all.count() / seconds))
              .costs(all.seconds() / busy);
      found.forEach(
          (cache, gets) -> draft.evidence("CACHE_GET [1/s]", gets.count() / seconds, cache));
    }
  }

  private void rolledBack(Result result) {
    seen.transactions.forEach(
        (caches, same) -> {
          long all = same.committed.count() + same.rolledBack.count();
          // Those without a cache did no work that is lost.
          if (same.rolledBack.count() > 0
              && same.rolledBack.count() >= ROLLED_BACK * all
              && !caches.isEmpty()) {
            result
                .found()
                .apart("caches", names(caches))
                .with("rolledBack", Value.share((double) same.rolledBack.count() / all))
                .with("transactions", Value.count(all))
                .costs(same.rolledBack.seconds() / busy)
                .evidence("rolled back", same.rolledBack.count(), names(caches))
                .evidence("their mean duration [ms]", same.rolledBack.mean() * 1e3, names(caches))
                .evidence("that of commits", same.committed.mean() * 1e3, names(caches));
          }
        });
  }

  private String names(Set<Integer> caches) {
    return caches.stream().map(seen::cache).collect(Collectors.joining(", "));
  }

  private void longTransactions(Result result) {
    seen.transactions.forEach(
        (caches, same) -> {
          double micros = Math.max(same.committed.micros(100), same.rolledBack.micros(100));
          if (micros > LONG_SECONDS * 1e6 && !caches.isEmpty()) {
            result
                .found("recorded")
                .apart("caches", names(caches))
                .with("longest", Value.micros(micros))
                .evidence("p99 of commits [ms]", same.committed.micros(99) / 1e3, names(caches));
          }
        });
  }

  private void queuedJobs(Result result) {
    Map<String, List<Job>> byTask =
        seen.jobs.stream().collect(Collectors.groupingBy(job -> seen.task(job.session()).name));
    byTask.forEach(
        (task, jobs) -> {
          double queued = jobs.stream().mapToLong(Job::queuedMillis).average().orElse(0);
          double ran = jobs.stream().mapToLong(Job::ranMillis).average().orElse(0);
          long waited = jobs.stream().filter(job -> job.queuedMillis() >= QUEUED_MILLIS).count();
          if (jobs.size() >= JOBS && queued > ran && 2 * waited >= jobs.size()) {
            result
                .found("jobs")
                .apart("task", task)
                .with("queued", Value.micros(1e3 * queued))
                .with("ran", Value.micros(1e3 * ran))
                .costs(queued / (queued + ran))
                .evidence("jobs", jobs.size(), task);
          }
        });
  }

  private void checkpoints(Result result) {
    seen.checkpoints.forEach(
        (node, calls) -> {
          double share = Math.min(1, calls.seconds() / seconds);
          if (calls.count() >= CHECKPOINTS && share > CHECKPOINTING) {
            result
                .found()
                .of("servers", PerformanceStatistics.name(node))
                .costs("share", share)
                .evidence("checkpoints", calls.count())
                .evidence("their mean duration [s]", calls.mean());
          }
        });
  }

  private void throttledWrites(Result result) {
    seen.throttled.forEach(
        (node, calls) -> {
          if (calls.seconds() > THROTTLED * seconds) {
            result
                .found("throttled")
                .of("servers", PerformanceStatistics.name(node))
                .with("held", Value.seconds(calls.seconds()))
                .with("observed", Value.seconds(seconds))
                .costs(calls.seconds() / seconds)
                .evidence("throttled writes", calls.count())
                .evidence("the longest [ms]", calls.micros(100) / 1e3);
          }
        });
  }

  /**
   * Finds servers for whose jobs tasks wait longer, again and again. Times of operations do not
   * show it: they depend on whether the server has the key.
   */
  private void slowServers(Result result) {
    Map<UUID, List<Job>> single =
        seen.jobs.stream()
            .filter(
                job -> seen.task(job.session()).jobs == 1 && seen.task(job.session()).millis >= 0)
            .collect(Collectors.groupingBy(Job::node));
    single.values().removeIf(jobs -> jobs.size() < JOBS);
    single.forEach(
        (server, jobs) -> {
          double delay = delay(jobs.stream());
          double others =
              delay(single.values().stream().filter(each -> each != jobs).flatMap(List::stream));
          long lateSeconds =
              jobs.stream()
                  .filter(job -> delay(job) > LATE_MILLIS)
                  .map(job -> job.end() / 1_000)
                  .distinct()
                  .count();
          if (delay > TIMES_AS_LONG * others
              && delay - others > LATE_MILLIS
              && lateSeconds >= LATE_SECONDS) {
            result
                .found("late")
                .of("servers", PerformanceStatistics.name(server))
                .with("times", Value.ratio(delay / Math.max(1, others)))
                .evidence("tasks wait for its jobs, mean [ms]", delay)
                .evidence("for those of other servers [ms]", others);
          }
        });
    if (single.size() < 2) {
      result.unjudged("few-jobs");
    }
  }

  private double delay(Stream<Job> jobs) {
    return jobs.mapToDouble(this::delay).average().orElse(Double.NaN);
  }

  /**
   * The time, in milliseconds, that a task of one job took beyond the job's own time, by the clock
   * of the node that started it.
   */
  private double delay(Job job) {
    return Math.max(0, seen.task(job.session()).millis - job.queuedMillis() - job.ranMillis());
  }
}
