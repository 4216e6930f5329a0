package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;
import org.apache.ignite.internal.processors.performancestatistics.PerformanceStatisticsHandler;
import org.apache.ignite.internal.util.GridIntList;
import org.apache.ignite.lang.IgniteUuid;

/**
 * Aggregate of the records in files of Ignite's performance statistics: calls, statements,
 * transactions, jobs, checkpoints and throttled writes.
 *
 * <p>Clocks of nodes may differ: a node whose records lie far outside of those of the others is
 * shifted to their begin.
 */
final class PerformanceStatistics implements PerformanceStatisticsHandler {
  /** Single operations that change an entry. */
  static final Set<OperationType> WRITES =
      EnumSet.of(
          OperationType.CACHE_PUT,
          OperationType.CACHE_GET_AND_PUT,
          OperationType.CACHE_INVOKE,
          OperationType.CACHE_REMOVE,
          OperationType.CACHE_GET_AND_REMOVE);

  /** Ignite's performance statistics are younger. */
  private static final long EARLIEST = Instant.parse("2020-01-01T00:00:00Z").toEpochMilli();

  private static final long LATEST = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
  private static final double NANOS = 1e9;
  private static final int DIGITS = 2;
  private static final String OF_MAPPERS = "Fetched on mapper";

  /** Durations of transactions from which they are doubted. */
  private static final long DOUBTFUL_NANOS = 10_000_000_000L;

  private static final long LATE_MILLIS = 60_000;
  private static final int MIN_JOBS = 10;
  private static final Task UNKNOWN_TASK = new Task("unknown task", 0);

  private final Map<Integer, String> cacheNames = new HashMap<>();
  private final Map<UUID, Span> spans = new HashMap<>();
  private final Map<Operation, Calls> operations = new HashMap<>();
  private final Map<Set<Integer>, Transactions> transactions = new HashMap<>();
  private final List<LongTransaction> doubtful = new ArrayList<>();
  private final Map<String, Statement> statements = new HashMap<>();
  private final Map<Execution, Execution> executions = new HashMap<>();
  private final Map<IgniteUuid, Task> tasks = new HashMap<>();
  private final Map<IgniteUuid, Integer> jobsOfTasks = new HashMap<>();
  private final List<Job> jobs = new ArrayList<>();
  private final Map<UUID, Calls> checkpoints = new HashMap<>();
  private final Map<UUID, Calls> throttled = new HashMap<>();
  private final Set<UUID> servers = new TreeSet<>();
  private final Map<UUID, Long> shifts = new HashMap<>();

  /** A kind of calls on one node. */
  record Operation(UUID node, int cache, OperationType type) {}

  /** The first and the last record of a node, in milliseconds since 1970 by its clock. */
  private static final class Span {
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long records;

    private long millis() {
      return last - first;
    }
  }

  /** Durations of calls of one kind. */
  static final class Calls {
    private final Histogram nanos = new Histogram(DIGITS);
    private final Map<Long, Integer> bySecond = new TreeMap<>();
    private double seconds;

    private void add(long endMillis, long duration) {
      nanos.recordValue(Math.max(0, duration));
      seconds += Math.max(0, duration) / NANOS;
      bySecond.merge(endMillis / 1_000, 1, Integer::sum);
    }

    void add(Calls others, long shiftSeconds) {
      nanos.add(others.nanos);
      seconds += others.seconds;
      others.bySecond.forEach(
          (second, calls) -> bySecond.merge(second + shiftSeconds, calls, Integer::sum));
    }

    long count() {
      return nanos.getTotalCount();
    }

    /** The sum of their durations. */
    double seconds() {
      return seconds;
    }

    double mean() {
      return count() == 0 ? 0 : seconds / count();
    }

    double micros(double percentile) {
      return nanos.getValueAtPercentile(percentile) / 1e3;
    }

    double longest() {
      return nanos.getMaxValue() / NANOS;
    }

    /** Number of calls that ended in each second since 1970 that has any. */
    Map<Long, Integer> bySecond() {
      return bySecond;
    }
  }

  /** Transactions over the same caches. */
  static final class Transactions {
    final Calls committed = new Calls();
    final Calls rolledBack = new Calls();
  }

  /** Executions of the same text. */
  static final class Statement {
    final GridCacheQueryType type;
    final String text;
    final Calls calls = new Calls();
    final Set<String> plans = new TreeSet<>();
    final Set<UUID> nodes = new TreeSet<>();
    private long reads;
    private long rows;

    private Statement(GridCacheQueryType type, String text) {
      this.type = type;
      this.text = text;
    }

    /** Pages read for an execution in the mean. */
    double reads() {
      return (double) reads / calls.count();
    }

    /** Rows of an execution in the mean; 0 where they are not known. */
    double rows() {
      return (double) rows / calls.count();
    }
  }

  /** One execution of a query, whose records lie in the files of several nodes. */
  private static final class Execution {
    private final UUID node;
    private final GridCacheQueryType type;
    private final long id;
    private String text = "";
    private long reads;
    private long fetched;
    private long mapped;
    private final Set<String> plans = new TreeSet<>();

    private Execution(UUID node, GridCacheQueryType type, long id) {
      this.node = node;
      this.type = type;
      this.id = id;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Execution same
          && same.id == id
          && same.type == type
          && same.node.equals(node);
    }

    @Override
    public int hashCode() {
      return 31 * node.hashCode() + Long.hashCode(id);
    }
  }

  /** A job that ended. */
  private record Job(UUID node, IgniteUuid session, long queuedMillis, long ranMillis) {}

  private record Task(String name, long millis) {}

  /** The jobs of a task on one node or on all. */
  record Jobs(String task, long count, double queuedSeconds, double ranSeconds) {}

  private void see(UUID node, long millis) {
    if (millis < EARLIEST || millis > LATEST) {
      throw new GridException("A record has no time of these years.");
    }
    Span span = spans.computeIfAbsent(node, each -> new Span());
    span.first = Math.min(span.first, millis);
    span.last = Math.max(span.last, millis);
    span.records++;
  }

  @Override
  public void cacheStart(UUID node, int cache, String name) {
    cacheNames.put(cache, name);
  }

  @Override
  public void cacheOperation(UUID node, OperationType type, int cache, long end, long nanos) {
    see(node, end);
    operations.computeIfAbsent(new Operation(node, cache, type), each -> new Calls()).add(end, nanos);
  }

  @Override
  public void transaction(
      UUID node, GridIntList caches, long start, long nanos, boolean committed) {
    Set<Integer> ids = new TreeSet<>();
    for (int i = 0; i < caches.size(); i++) {
      ids.add(caches.get(i));
    }
    LongTransaction transaction = new LongTransaction(node, ids, start, nanos, committed);
    if (nanos > DOUBTFUL_NANOS) {
      doubtful.add(transaction);
    } else {
      add(transaction);
    }
  }

  /** A transaction of which it is not yet known whether its duration is right. */
  private record LongTransaction(
      UUID node, Set<Integer> caches, long start, long nanos, boolean committed) {
    long end() {
      return start + nanos / 1_000_000;
    }
  }

  private void add(LongTransaction ended) {
    see(ended.node, ended.end());
    Transactions same = transactions.computeIfAbsent(ended.caches, each -> new Transactions());
    (ended.committed ? same.committed : same.rolledBack).add(ended.end(), ended.nanos);
  }

  @Override
  public void query(
      UUID node,
      GridCacheQueryType type,
      String text,
      long id,
      long start,
      long nanos,
      boolean success) {
    long end = start + nanos / 1_000_000;
    see(node, end);
    Statement statement =
        statements.computeIfAbsent(type + text, each -> new Statement(type, text));
    statement.calls.add(end, nanos);
    statement.nodes.add(node);
    execution(node, type, id).text = type + text;
  }

  private Execution execution(UUID node, GridCacheQueryType type, long id) {
    return executions.computeIfAbsent(new Execution(node, type, id), each -> each);
  }

  @Override
  public void queryReads(
      UUID node, GridCacheQueryType type, UUID origin, long id, long logical, long physical) {
    servers.add(node);
    execution(origin, type, id).reads += logical;
  }

  @Override
  public void queryRows(
      UUID node, GridCacheQueryType type, UUID origin, long id, String action, long rows) {
    // Those of the reducer are the result; without a reducer, those of the mappers are.
    if (action.equals(OF_MAPPERS)) {
      execution(origin, type, id).mapped += rows;
    } else if (action.startsWith("Fetched")) {
      execution(origin, type, id).fetched += rows;
    }
  }

  @Override
  public void queryProperty(
      UUID node, GridCacheQueryType type, UUID origin, long id, String name, String value) {
    if (name.toLowerCase(Locale.ROOT).contains("plan")) {
      execution(origin, type, id).plans.add(value);
    }
  }

  @Override
  public void task(
      UUID node, IgniteUuid session, String name, long start, long millis, int partition) {
    see(node, start + millis);
    tasks.put(session, new Task(name, millis));
  }

  @Override
  public void job(
      UUID node, IgniteUuid session, long queued, long start, long millis, boolean timedOut) {
    see(node, start + millis);
    servers.add(node);
    jobs.add(new Job(node, session, queued, millis));
    jobsOfTasks.merge(session, 1, Integer::sum);
  }

  @Override
  public void checkpoint(
      UUID node,
      long beforeLock,
      long lockWait,
      long listeners,
      long mark,
      long lockHold,
      long pagesWrite,
      long fsync,
      long walRecordFsync,
      long writeEntry,
      long splitAndSort,
      long totalMillis,
      long start,
      int pages,
      int dataPages,
      int copiedPages) {
    see(node, start + totalMillis);
    servers.add(node);
    checkpoints
        .computeIfAbsent(node, each -> new Calls())
        .add(start + totalMillis, totalMillis * 1_000_000);
  }

  @Override
  public void pagesWriteThrottle(UUID node, long end, long millis) {
    see(node, end);
    servers.add(node);
    throttled.computeIfAbsent(node, each -> new Calls()).add(end, millis * 1_000_000);
  }

  /** Completes the aggregate after the last file. */
  void complete() {
    for (Execution execution : executions.keySet()) {
      Statement statement = statements.get(execution.text);
      if (statement != null) {
        statement.reads += execution.reads;
        statement.rows += execution.fetched > 0 ? execution.fetched : execution.mapped;
        statement.plans.addAll(execution.plans);
      }
    }
    executions.clear();
    // Of a transaction that was open when the recording began, Ignite 2.17 records the uptime.
    doubtful.stream()
        .filter(each -> spans.containsKey(each.node))
        .filter(each -> each.end() < spans.get(each.node).last + LATE_MILLIS)
        .toList()
        .forEach(this::add);
    doubtful.clear();
    Span usual =
        spans.values().stream()
            .max(Comparator.comparingLong(span -> span.records))
            .orElseGet(Span::new);
    spans.forEach(
        (node, span) -> {
          boolean apart =
              span.last < usual.first - usual.millis() || span.first > usual.last + usual.millis();
          shifts.put(node, apart ? usual.first - span.first : 0);
        });
  }

  /** Names of nodes are long; their first characters suffice. */
  static String name(UUID node) {
    return node.toString().substring(0, 8);
  }

  String cache(int id) {
    return cacheNames.getOrDefault(id, "cache " + id);
  }

  Set<UUID> nodes() {
    return spans.keySet();
  }

  /** Nodes that executed queries or jobs, or wrote to disk; a server may have done neither. */
  Set<UUID> servers() {
    return servers;
  }

  /** The time from the first to the last record of all nodes; at least a second. */
  double seconds() {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Map.Entry<UUID, Span> each : spans.entrySet()) {
      first = Math.min(first, each.getValue().first + shifts.get(each.getKey()));
      last = Math.max(last, each.getValue().last + shifts.get(each.getKey()));
    }
    return Math.max(1, (last - first) / 1e3);
  }

  Map<Operation, Calls> operations() {
    return operations;
  }

  /** The calls of some operations together, with the clocks of their nodes adjusted. */
  Calls calls(Predicate<Operation> which) {
    Calls sum = new Calls();
    operations.forEach(
        (operation, calls) -> {
          if (which.test(operation)) {
            sum.add(calls, shifts.get(operation.node()) / 1_000);
          }
        });
    return sum;
  }

  /** By the identifiers of their caches. */
  Map<Set<Integer>, Transactions> transactions() {
    return transactions;
  }

  Collection<Statement> statements() {
    return statements.values();
  }

  /** Jobs by task, of some nodes. */
  List<Jobs> jobs(Predicate<UUID> nodes) {
    Map<String, Jobs> sums = new TreeMap<>();
    for (Job job : jobs) {
      if (nodes.test(job.node())) {
        String task = tasks.getOrDefault(job.session(), UNKNOWN_TASK).name;
        sums.merge(
            task,
            new Jobs(task, 1, job.queuedMillis() / 1e3, job.ranMillis() / 1e3),
            (a, b) ->
                new Jobs(
                    task,
                    a.count + b.count,
                    a.queuedSeconds + b.queuedSeconds,
                    a.ranSeconds + b.ranSeconds));
      }
    }
    return List.copyOf(sums.values());
  }

  /**
   * The mean time, in seconds, that tasks of one job took beyond the job's own time, by the clock
   * of the node that started them; empty for few of them.
   */
  OptionalDouble jobDelay(UUID node) {
    LongSummaryStatistics delays =
        jobs.stream()
            .filter(job -> job.node.equals(node) && tasks.containsKey(job.session))
            .filter(job -> jobsOfTasks.getOrDefault(job.session, 0) == 1)
            .mapToLong(job -> tasks.get(job.session).millis - job.queuedMillis - job.ranMillis)
            .summaryStatistics();
    return delays.getCount() < MIN_JOBS
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.max(0, delays.getAverage()) / 1e3);
  }

  Map<UUID, Calls> checkpoints() {
    return checkpoints;
  }

  Map<UUID, Calls> throttled() {
    return throttled;
  }

  /** The time of all operations, statements and jobs together, in seconds. */
  double busySeconds() {
    return operations.values().stream().mapToDouble(Calls::seconds).sum()
        + statements.values().stream().mapToDouble(each -> each.calls.seconds()).sum()
        + jobs.stream().mapToDouble(job -> job.ranMillis() / 1e3).sum();
  }
}
