package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Job;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Operation;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.protocol.HealthReport.Figures;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
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
import java.util.function.BiConsumer;
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

  /** Busy seconds in each second, over all callers. */
  private static final double BUSY = 0.1;

  private static final int JOBS = 10;
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
        Check.of("missing-index", this::missingIndex),
        Check.of("single-gets", this::singleGets),
        Check.of("rolled-back-transactions", this::rolledBack),
        Check.of("long-transactions", this::longTransactions),
        Check.of("thread-pools", this::queuedJobs),
        Check.of("checkpoints-without-pause", servers(seen.checkpoints, this::checkpoints)),
        Check.of("checkpoint-buffer", servers(seen.throttled, this::throttledWrites)),
        Check.of("uneven-load", this::slowServers));
  }

  private static Consumer<Look> servers(Map<UUID, Calls> all, BiConsumer<Look, Calls> body) {
    return look ->
        all.forEach(
            (node, calls) ->
                body.accept(look.on("servers", PerformanceStatistics.name(node)), calls));
  }

  /** Facts of the length of the recording alone; these checks look at the statistics. */
  Facts facts() {
    return Facts.of(true, seconds, List.of(), List.of(), "");
  }

  /** The reason why not all records could be read, by the name under which a report has it. */
  Map<String, Unjudged> unread() {
    Map<String, Value> files = Map.of("files", Value.names(seen.truncated));
    return seen.truncated.isEmpty()
        ? Map.of()
        : Map.of("statistics-files", new Unjudged("truncated", files));
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
            .sorted(Comparator.comparingDouble(kind -> -Calls.sum(kind, each -> true).seconds()))
            .map(this::row)
            .toList();
    List<List<Value>> statements = seen.byTime().stream().map(this::row).toList();
    return Stream.of(new Figures(OF_OPERATIONS, operations), new Figures(OF_STATEMENTS, statements))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  private List<Value> row(Map<Operation, Calls> ofNodes) {
    Calls calls = Calls.sum(ofNodes, each -> true);
    Map.Entry<Operation, Calls> longest =
        Collections.max(
            ofNodes.entrySet(), Comparator.comparingDouble(e -> e.getValue().seconds()));
    Operation most = longest.getKey();
    String server = seen.servers.contains(most.node()) ? "server " : "";
    double share = longest.getValue().seconds() / Math.max(1e-9, calls.seconds());
    String node = PerformanceStatistics.name(most.node()) + " " + Value.share(share).text();
    return List.of(
        Value.name(seen.cache(most.cache())),
        Value.name(most.name()),
        Value.rate(calls.count() / seconds),
        Value.micros(calls.micros(50)),
        Value.micros(calls.micros(99)),
        Value.share(calls.seconds() / busy),
        Value.name(server + node));
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

  private void missingIndex(Look look) {
    double all = seen.statementSeconds();
    for (Statement statement : seen.statements.values()) {
      Map<String, String> whole = wholeReads(statement.plans);
      double reads = statement.reads();
      if (statement.calls.seconds() >= 0.1 * all
          && reads >= 1_000
          && reads >= 10 * statement.rows()) {
        SelectBlock.of(statement.text, SelectBlock.Catalog.ANY).stream()
            .flatMap(block -> block.limited().stream())
            .filter(search -> whole.containsKey(search.name()))
            .findFirst()
            .ifPresent(
                search ->
                    missingIndex(
                        look, statement, search, whole.getOrDefault(search.name(), NO_INDEX)));
      }
    }
  }

  private void missingIndex(Look look, Statement statement, SearchedTable search, String index) {
    double ofSecond = statement.calls.seconds() / seconds;
    String table = search.name();
    boolean scan = index.equals(NO_INDEX);
    Set<String> columns = new TreeSet<>(search.columns());
    columns.addAll(scan ? Set.of() : search.converted().keySet());
    if (!columns.isEmpty()) {
      look.draft(ofSecond > BUSY ? Severity.PROBLEM : Severity.ADVICE, scan ? "" : "unused")
          .apart("table", table)
          .seconds("busy", ofSecond)
          .with("columns", Value.names(columns))
          .name("column", columns.iterator().next())
          .name("index", index)
          .costs(statement.calls.seconds() / busy)
          .evidence("calls", statement.calls.count(), table)
          .evidence("rows per call", statement.rows(), table)
          .evidence("pages read per call", statement.reads(), table)
          .evidence("statement", SqlChecks.shown(statement.text), table);
    }
  }

  private void singleGets(Look look) {
    Map<String, Calls> found = new TreeMap<>();
    for (int cache : seen.caches()) {
      Calls all = seen.calls(cache);
      Calls gets =
          Calls.sum(
              seen.operations,
              each -> each.cache() == cache && each.type() == OperationType.CACHE_GET);
      long ofNode = gets.byNode().values().stream().mapToLong(each -> each).max().orElse(0);
      if (ofNode >= 200 * seconds && 5 * gets.count() >= 4 * all.count()) {
        found.put(seen.cache(cache), gets);
      }
    }
    if (!found.isEmpty()) {
      Calls all = Calls.sum(found, cache -> true);
      Draft draft =
          look.found().with("rate", Value.rate(all.count() / seconds)).costs(all.seconds() / busy);
      found.forEach(
          (cache, gets) -> draft.evidence("CACHE_GET [1/s]", gets.count() / seconds, cache));
    }
  }

  private void rolledBack(Look look) {
    seen.rolledBack.forEach(
        (caches, calls) -> {
          Calls committed = seen.committed.getOrDefault(caches, new Calls());
          long all = committed.count() + calls.count();
          // Those without a cache did no work that is lost.
          if (calls.count() >= 0.01 * all && !caches.isEmpty()) {
            look.found()
                .apart("caches", names(caches))
                .share("rolledBack", (double) calls.count() / all)
                .with("transactions", Value.count(all))
                .costs(calls.seconds() / busy)
                .evidence("rolled back", calls.count(), names(caches))
                .evidence("their mean duration [ms]", calls.mean() * 1e3, names(caches))
                .evidence("that of commits", committed.mean() * 1e3, names(caches));
          }
        });
  }

  private String names(Set<Integer> caches) {
    return caches.stream().map(seen::cache).collect(Collectors.joining(", "));
  }

  private void longTransactions(Look look) {
    Stream.of(seen.committed, seen.rolledBack)
        .flatMap(transactions -> transactions.keySet().stream())
        .distinct()
        .filter(caches -> !caches.isEmpty())
        .forEach(
            caches -> {
              Calls committed = seen.committed.getOrDefault(caches, new Calls());
              Calls rolledBack = seen.rolledBack.getOrDefault(caches, new Calls());
              double micros = Math.max(committed.micros(100), rolledBack.micros(100));
              if (micros > 1e7) {
                look.found("recorded")
                    .apart("caches", names(caches))
                    .with("longest", Value.micros(micros))
                    .evidence("p99 of commits [ms]", committed.micros(99) / 1e3, names(caches));
              }
            });
  }

  private void queuedJobs(Look look) {
    Map<String, List<Job>> byTask =
        seen.jobs.stream().collect(Collectors.groupingBy(job -> job.task().name));
    byTask.forEach(
        (task, jobs) -> {
          double queued = jobs.stream().mapToLong(Job::queuedMillis).average().orElse(0);
          double ran = jobs.stream().mapToLong(Job::ranMillis).average().orElse(0);
          long waited = jobs.stream().filter(job -> job.queuedMillis() >= 10).count();
          if (jobs.size() >= JOBS && queued > ran && 2 * waited >= jobs.size()) {
            look.found("jobs")
                .apart("task", task)
                .with("queued", Value.micros(1e3 * queued))
                .with("ran", Value.micros(1e3 * ran))
                .costs(queued / (queued + ran))
                .evidence("jobs", jobs.size(), task);
          }
        });
  }

  private void checkpoints(Look look, Calls calls) {
    double share = Math.min(1, calls.seconds() / seconds);
    if (calls.count() >= 3 && share > 0.8) {
      look.found()
          .costs("share", share)
          .evidence("checkpoints", calls.count())
          .evidence("their mean duration [s]", calls.mean());
    }
  }

  private void throttledWrites(Look look, Calls calls) {
    if (calls.seconds() > 0.01 * seconds) {
      look.found("throttled")
          .seconds("held", calls.seconds())
          .seconds("observed", seconds)
          .costs(calls.seconds() / seconds)
          .evidence("throttled writes", calls.count())
          .evidence("the longest [ms]", calls.micros(100) / 1e3);
    }
  }

  /**
   * Finds servers for whose jobs tasks wait longer, again and again. Times of operations do not
   * show it: they depend on whether the server has the key.
   */
  private void slowServers(Look look) {
    Map<UUID, List<Job>> single =
        seen.jobs.stream()
            .filter(job -> job.task().jobs == 1 && job.task().millis >= 0)
            .collect(Collectors.groupingBy(Job::node));
    single.values().removeIf(jobs -> jobs.size() < JOBS);
    single.forEach(
        (server, jobs) -> {
          double delay = delay(jobs.stream());
          double others =
              delay(single.values().stream().filter(each -> each != jobs).flatMap(List::stream));
          Stream<Long> lateSeconds =
              jobs.stream()
                  .filter(job -> job.delay() > LATE_MILLIS)
                  .map(job -> job.end() / 1_000)
                  .distinct();
          if (delay > 5 * others
              && delay - others > LATE_MILLIS
              && lateSeconds.count() >= LATE_SECONDS) {
            look.found("late")
                .of("servers", PerformanceStatistics.name(server))
                .with("times", Value.ratio(delay / Math.max(1, others)))
                .evidence("tasks wait for its jobs, mean [ms]", delay)
                .evidence("for those of other servers [ms]", others);
          }
        });
    if (single.size() < 2) {
      look.unjudged("few-jobs");
    }
  }

  private static double delay(Stream<Job> jobs) {
    return jobs.mapToDouble(Job::delay).average().orElse(Double.NaN);
  }
}
