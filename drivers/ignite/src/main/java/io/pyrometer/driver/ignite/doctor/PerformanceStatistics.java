package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;
import org.apache.ignite.internal.processors.performancestatistics.PerformanceStatisticsHandler;
import org.apache.ignite.internal.util.GridIntList;
import org.apache.ignite.lang.IgniteUuid;

/**
 * Aggregate of the records in files of Ignite's performance statistics.
 *
 * <p>Clocks of nodes may differ: a node whose records lie far outside of those of the node with the
 * most records is shifted to its begin.
 */
final class PerformanceStatistics implements PerformanceStatisticsHandler {
  /** Ignite's performance statistics are younger. */
  private static final long EARLIEST = Instant.parse("2020-01-01T00:00:00Z").toEpochMilli();

  private static final long LATEST = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final String OF_MAPPERS = "Fetched on mapper";

  /** Durations of transactions from which they are doubted. */
  private static final long DOUBTFUL_NANOS = 10_000_000_000L;

  private static final long LATE_MILLIS = 60_000;

  /** Nodes that executed queries or jobs, or wrote to disk; a server may have done neither. */
  final Set<UUID> servers = new TreeSet<>();

  final Map<Operation, Calls> operations = new HashMap<>();

  /** Transactions by the identifiers of their caches. */
  final Map<Set<Integer>, Transactions> transactions = new HashMap<>();

  /** Statements by type and text. */
  final Map<String, Statement> statements = new HashMap<>();

  final List<Job> jobs = new ArrayList<>();
  final Map<UUID, Calls> checkpoints = new HashMap<>();
  final Map<UUID, Calls> throttled = new HashMap<>();

  private final Map<Integer, String> cacheNames = new HashMap<>();
  private final Map<UUID, LongSummaryStatistics> times = new HashMap<>();
  private final Map<UUID, Long> shifts = new HashMap<>();
  private final Map<QueryId, Execution> executions = new HashMap<>();
  private final Map<IgniteUuid, Task> tasks = new HashMap<>();

  /**
   * Records whose times are judged after the last file: scans, of which Ignite 2.17 records the
   * nanoseconds of the JVM's own clock as their start; and long transactions, for it records the
   * uptime as the duration of those that were open when the recording began.
   */
  private final List<Runnable> doubtful = new ArrayList<>();

  /** A kind of calls on one node. */
  record Operation(UUID node, int cache, OperationType type) {
    /** {@code get-all} of {@code CACHE_GET_ALL}. */
    String name() {
      return type.name().replaceFirst("^CACHE_", "").toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private record Second(UUID node, long sinceEpoch) {}

  /** Durations of calls of one kind. */
  static final class Calls {
    private final Histogram nanos = new Histogram(2);
    private double seconds;

    /** Number of calls that ended in each second of a node's clock. */
    private final Map<Second, Integer> bySecond = new HashMap<>();

    static Calls sum(Collection<Calls> parts) {
      Calls sum = new Calls();
      parts.forEach(sum::add);
      return sum;
    }

    private void add(UUID node, long endMillis, long duration) {
      nanos.recordValue(Math.max(0, duration));
      seconds += Math.max(0, duration) / 1e9;
      bySecond.merge(new Second(node, endMillis / 1_000), 1, Integer::sum);
    }

    void add(Calls others) {
      nanos.add(others.nanos);
      seconds += others.seconds;
      others.bySecond.forEach((second, calls) -> bySecond.merge(second, calls, Integer::sum));
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

    /** Number of calls by the node that recorded them. */
    Map<UUID, Integer> byNode() {
      Map<UUID, Integer> calls = new HashMap<>();
      bySecond.forEach((second, number) -> calls.merge(second.node, number, Integer::sum));
      return calls;
    }
  }

  /** Transactions over the same caches. */
  static final class Transactions {
    final Calls committed = new Calls();
    final Calls rolledBack = new Calls();
  }

  /** Executions of the same text. */
  static final class Statement {
    final String text;
    final Calls calls = new Calls();
    final Set<String> plans = new TreeSet<>();
    private long reads;
    private long rows;

    private Statement(String text) {
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

  private record QueryId(UUID node, GridCacheQueryType type, long id) {}

  /** One execution of a query, whose records lie in the files of several nodes. */
  private static final class Execution {
    private String text = "";
    private long reads;
    private long fetched;
    private long mapped;
    private final Set<String> plans = new TreeSet<>();
  }

  /** A job that ended, by the clock of its node. */
  record Job(UUID node, IgniteUuid session, long end, long queuedMillis, long ranMillis) {}

  /** A task; its duration is negative until its own record is read. */
  static final class Task {
    String name = "unknown task";
    long millis = -1;
    int jobs;
  }

  private static boolean isTime(long millis) {
    return millis >= EARLIEST && millis <= LATEST;
  }

  private void see(UUID node, long millis) {
    if (!isTime(millis)) {
      throw new GridException("A record has no time of these years.");
    }
    times.computeIfAbsent(node, each -> new LongSummaryStatistics()).accept(millis);
  }

  @Override
  public void cacheStart(UUID node, int cache, String name) {
    cacheNames.put(cache, name);
  }

  @Override
  public void cacheOperation(UUID node, OperationType type, int cache, long end, long nanos) {
    see(node, end);
    operations
        .computeIfAbsent(new Operation(node, cache, type), each -> new Calls())
        .add(node, end, nanos);
  }

  @Override
  public void transaction(
      UUID node, GridIntList caches, long start, long nanos, boolean committed) {
    Set<Integer> ids = new TreeSet<>();
    for (int i = 0; i < caches.size(); i++) {
      ids.add(caches.get(i));
    }
    long end = start + nanos / NANOS_PER_MILLI;
    Transactions same = transactions.computeIfAbsent(ids, each -> new Transactions());
    Runnable add =
        () -> {
          if (nanos <= DOUBTFUL_NANOS || end < lastTime(node) + LATE_MILLIS) {
            see(node, end);
            (committed ? same.committed : same.rolledBack).add(node, end, nanos);
          }
        };
    if (nanos <= DOUBTFUL_NANOS) {
      add.run();
    } else {
      doubtful.add(add);
    }
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
    long end = start + nanos / NANOS_PER_MILLI;
    Calls calls = statements.computeIfAbsent(type + text, each -> new Statement(text)).calls;
    execution(node, type, id).text = type + text;
    if (type == GridCacheQueryType.SCAN && !isTime(end)) {
      doubtful.add(() -> calls.add(node, lastTime(node), nanos));
    } else {
      see(node, end);
      calls.add(node, end, nanos);
    }
  }

  /** The end of a node's records, or of all records where the node has none with a time. */
  private long lastTime(UUID node) {
    LongSummaryStatistics own = times.get(node);
    return own == null
        ? times.values().stream().mapToLong(LongSummaryStatistics::getMax).max().orElse(EARLIEST)
        : own.getMax();
  }

  private Execution execution(UUID node, GridCacheQueryType type, long id) {
    return executions.computeIfAbsent(new QueryId(node, type, id), each -> new Execution());
  }

  @Override
  public void queryReads(
      UUID node, GridCacheQueryType type, UUID origin, long id, long logical, long physical) {
    servers.add(node);
    execution(origin, type, id).reads += logical;
  }

  /** Rows of the reducer are the result; without a reducer, those of the mappers are. */
  @Override
  public void queryRows(
      UUID node, GridCacheQueryType type, UUID origin, long id, String action, long rows) {
    if (action.equals(OF_MAPPERS)) {
      execution(origin, type, id).mapped += rows;
    } else if (action.startsWith("Fetched")) {
      execution(origin, type, id).fetched += rows;
    }
  }

  @Override
  public void queryProperty(
      UUID node, GridCacheQueryType type, UUID origin, long id, String name, String value) {
    if (name.endsWith("plan")) {
      execution(origin, type, id).plans.add(value);
    }
  }

  @Override
  public void task(
      UUID node, IgniteUuid session, String name, long start, long millis, int partition) {
    see(node, start + millis);
    task(session).name = name;
    task(session).millis = millis;
  }

  /** The task with this session. */
  Task task(IgniteUuid session) {
    return tasks.computeIfAbsent(session, each -> new Task());
  }

  @Override
  public void job(
      UUID node, IgniteUuid session, long queued, long start, long millis, boolean timedOut) {
    see(node, start + millis);
    servers.add(node);
    task(session).jobs++;
    jobs.add(new Job(node, session, start + millis, queued, millis));
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
    ofServer(checkpoints, node, start + totalMillis, totalMillis);
  }

  @Override
  public void pagesWriteThrottle(UUID node, long end, long millis) {
    ofServer(throttled, node, end, millis);
  }

  private void ofServer(Map<UUID, Calls> calls, UUID node, long end, long millis) {
    see(node, end);
    servers.add(node);
    calls.computeIfAbsent(node, each -> new Calls()).add(node, end, millis * NANOS_PER_MILLI);
  }

  /** Completes the aggregate after the last file. */
  void complete() {
    for (Execution execution : executions.values()) {
      Statement statement = statements.get(execution.text);
      if (statement != null) {
        statement.reads += execution.reads;
        statement.rows += execution.fetched > 0 ? execution.fetched : execution.mapped;
        statement.plans.addAll(execution.plans);
      }
    }
    executions.clear();
    doubtful.forEach(Runnable::run);
    Optional<LongSummaryStatistics> most =
        times.values().stream().max(Comparator.comparingLong(LongSummaryStatistics::getCount));
    times.forEach((node, own) -> shifts.put(node, shift(own, most.orElseThrow())));
  }

  private static long shift(LongSummaryStatistics own, LongSummaryStatistics usual) {
    long length = usual.getMax() - usual.getMin();
    boolean apart =
        own.getMax() < usual.getMin() - length || own.getMin() > usual.getMax() + length;
    return apart ? usual.getMin() - own.getMin() : 0;
  }

  private long shift(UUID node) {
    return shifts.getOrDefault(node, 0L);
  }

  /** Names of nodes are long; their first characters suffice. */
  static String name(UUID node) {
    return node.toString().substring(0, 8);
  }

  String cache(int id) {
    return cacheNames.getOrDefault(id, "cache " + id);
  }

  Set<UUID> nodes() {
    return times.keySet();
  }

  /** The time from the first to the last record of all nodes; at least a second. */
  double seconds() {
    LongSummaryStatistics all = new LongSummaryStatistics();
    times.forEach(
        (node, own) -> {
          all.accept(own.getMin() + shift(node));
          all.accept(own.getMax() + shift(node));
        });
    return Math.max(1, (all.getMax() - all.getMin()) / 1e3);
  }

  /** The calls of some operations together. */
  Calls calls(Predicate<Operation> which) {
    return Calls.sum(
        operations.entrySet().stream()
            .filter(each -> which.test(each.getKey()))
            .map(Map.Entry::getValue)
            .toList());
  }

  /** Number of calls that ended in each second that has any, by adjusted clocks. */
  NavigableMap<Long, Integer> bySecond(Calls calls) {
    NavigableMap<Long, Integer> all = new TreeMap<>();
    calls.bySecond.forEach(
        (second, number) ->
            all.merge(second.sinceEpoch + shift(second.node) / 1_000, number, Integer::sum));
    return all;
  }

  /** The calls of a cache on all nodes. */
  Calls calls(int cache, Predicate<OperationType> types) {
    return calls(each -> each.cache() == cache && types.test(each.type()));
  }

  /** Identifiers of the caches that have calls. */
  Set<Integer> caches() {
    return operations.keySet().stream().map(Operation::cache).collect(Collectors.toSet());
  }

  /** Statements, those that took most time first. */
  List<Statement> byTime() {
    return statements.values().stream()
        .sorted(Comparator.comparingDouble(each -> -each.calls.seconds()))
        .toList();
  }

  double statementSeconds() {
    return statements.values().stream().mapToDouble(each -> each.calls.seconds()).sum();
  }

  /** The time of all operations, statements and jobs together, in seconds. */
  double busySeconds() {
    return operations.values().stream().mapToDouble(Calls::seconds).sum()
        + statementSeconds()
        + jobs.stream().mapToDouble(job -> job.ranMillis() / 1e3).sum();
  }
}
