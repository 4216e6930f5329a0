package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.apache.ignite.internal.processors.performancestatistics.FilePerformanceStatisticsReader;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;
import org.apache.ignite.internal.processors.performancestatistics.PerformanceStatisticsHandler;
import org.apache.ignite.internal.util.GridIntList;
import org.apache.ignite.lang.IgniteUuid;

/**
 * Aggregate of the records in files of Ignite's performance statistics ({@code node-ID.prf}), plain
 * or compressed by gzip.
 *
 * <p>Clocks of nodes may differ: a node whose records lie far outside of those of the node with the
 * most records is shifted to its begin.
 */
final class PerformanceStatistics implements PerformanceStatisticsHandler {
  /** Milliseconds since 1970 between which a record's time lies: 2020 and 2100. */
  private static final long EARLIEST = 1_577_836_800_000L;

  private static final long LATEST = 4_102_444_800_000L;
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final String OF_MAPPERS = "Fetched on mapper";

  /** Durations of transactions from which they are doubted. */
  private static final long DOUBTFUL_NANOS = 10_000_000_000L;

  private static final long LATE_MILLIS = 60_000;
  private static final String COMPRESSED = ".gz";
  private static final Pattern NAME =
      Pattern.compile("node-([-0-9a-fA-F]{36})(-\\d+)?\\.prf(\\.gz)?");

  /** Files that were read. */
  final List<Path> files = new ArrayList<>();

  /** Names of files that end within a record. */
  final List<String> truncated = new ArrayList<>();

  /** Nodes that executed queries or jobs, or wrote to disk; a server may have done neither. */
  final Set<UUID> servers = new TreeSet<>();

  final Map<Operation, Calls> operations = new HashMap<>();

  /** Transactions by the identifiers of their caches. */
  final Map<Set<Integer>, Calls> committed = new HashMap<>();

  final Map<Set<Integer>, Calls> rolledBack = new HashMap<>();

  /** Statements by type and text. */
  final Map<String, Statement> statements = new HashMap<>();

  final List<Job> jobs = new ArrayList<>();
  final Map<UUID, Calls> checkpoints = new HashMap<>();
  final Map<UUID, Calls> throttled = new HashMap<>();

  private final Map<Integer, String> cacheNames = new HashMap<>();
  private final Map<UUID, Clock> clocks = new HashMap<>();
  private final Map<QueryId, Execution> executions = new HashMap<>();
  private final Map<IgniteUuid, Task> tasks = new HashMap<>();

  /**
   * Long transactions, which are judged after the last file: Ignite 2.17 records the uptime as the
   * duration of those that were open when the recording began.
   */
  private final List<Runnable> doubtful = new ArrayList<>();

  /** A kind of calls on one node. */
  record Operation(UUID node, int cache, OperationType type) {
    /** {@code get-all} of {@code CACHE_GET_ALL}. */
    String name() {
      return type.name().replaceFirst("^CACHE_", "").toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Times of a node's records, and what adjusts them to those of the other nodes. */
  private static final class Clock extends LongSummaryStatistics {
    private long shift;

    void adjustTo(LongSummaryStatistics usual) {
      long length = usual.getMax() - usual.getMin();
      if (getMax() < usual.getMin() - length || getMin() > usual.getMax() + length) {
        shift = usual.getMin() - getMin();
      }
    }
  }

  private record Second(UUID node, long sinceEpoch) {}

  /** Durations of calls of one kind. */
  static final class Calls {
    private final Histogram nanos = new Histogram(2);
    private double seconds;

    /** Number of calls that ended in each second of a node's clock. */
    private final Map<Second, Integer> bySecond = new HashMap<>();

    /** The calls of some keys together. */
    static <K> Calls sum(Map<K, Calls> parts, Predicate<K> which) {
      Calls sum = new Calls();
      parts.forEach(
          (key, calls) -> {
            if (which.test(key)) {
              sum.add(calls);
            }
          });
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
  record Job(UUID node, Task task, long end, long queuedMillis, long ranMillis) {
    /**
     * The time, in milliseconds, that its task took beyond the job's own time, by the clock of the
     * node that started it.
     */
    double delay() {
      return Math.max(0, task.millis - queuedMillis - ranMillis);
    }
  }

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
    clocks.computeIfAbsent(node, each -> new Clock()).accept(millis);
  }

  private <K> void add(Map<K, Calls> calls, K key, UUID node, long end, long nanos) {
    see(node, end);
    calls.computeIfAbsent(key, each -> new Calls()).add(node, end, nanos);
  }

  @Override
  public void cacheStart(UUID node, int cache, String name) {
    cacheNames.put(cache, name);
  }

  @Override
  public void cacheOperation(UUID node, OperationType type, int cache, long end, long nanos) {
    add(operations, new Operation(node, cache, type), node, end, nanos);
  }

  @Override
  public void transaction(
      UUID node, GridIntList caches, long start, long nanos, boolean committed) {
    Set<Integer> ids = new TreeSet<>();
    for (int i = 0; i < caches.size(); i++) {
      ids.add(caches.get(i));
    }
    long end = start + nanos / NANOS_PER_MILLI;
    Map<Set<Integer>, Calls> same = committed ? this.committed : rolledBack;
    if (nanos <= DOUBTFUL_NANOS) {
      add(same, ids, node, end, nanos);
    } else {
      doubtful.add(
          () -> {
            if (end < lastTime(node) + LATE_MILLIS) {
              add(same, ids, node, end, nanos);
            }
          });
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
    // The start of a scan is, with Ignite 2.17, the nanoseconds of the JVM's own clock.
    boolean timed = type != GridCacheQueryType.SCAN || isTime(end);
    if (timed) {
      see(node, end);
    }
    calls.add(node, timed ? end : EARLIEST, nanos);
  }

  /** The end of a node's records, or of all records where the node has none with a time. */
  private long lastTime(UUID node) {
    Collection<Clock> known =
        clocks.containsKey(node) ? List.of(clocks.get(node)) : clocks.values();
    return known.stream().mapToLong(Clock::getMax).max().orElse(EARLIEST);
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
    Task task = task(session);
    task.name = name;
    task.millis = millis;
  }

  private Task task(IgniteUuid session) {
    return tasks.computeIfAbsent(session, each -> new Task());
  }

  @Override
  public void job(
      UUID node, IgniteUuid session, long queued, long start, long millis, boolean timedOut) {
    see(node, start + millis);
    servers.add(node);
    Task task = task(session);
    task.jobs++;
    jobs.add(new Job(node, task, start + millis, queued, millis));
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
    servers.add(node);
    add(calls, node, node, end, millis * NANOS_PER_MILLI);
  }

  static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** The files below a folder, by their names. */
  static List<Path> files(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> name(file).matches(".+\\.prf(\\.gz)?")).sorted().toList();
    } catch (IOException | UncheckedIOException unreadable) {
      throw GridException.of("The folder '%s' cannot be read.", folder, unreadable);
    }
  }

  /**
   * Reads the files below a folder.
   *
   * @throws GridException with one sentence if there is none, one is something else, or no file has
   *     a record
   */
  static PerformanceStatistics below(Path folder) {
    PerformanceStatistics statistics = new PerformanceStatistics();
    statistics.files.addAll(files(folder));
    if (statistics.files.isEmpty()) {
      throw GridException.of(
          "The folder '%s' holds neither a run nor files of performance statistics, node-ID.prf or"
              + " node-ID.prf.gz.",
          folder);
    }
    for (Path file : statistics.files) {
      try {
        statistics.read(file);
      } catch (IOException | RuntimeException foreign) {
        throw GridException.of(
            "'%s' is no file of Ignite's performance statistics, or is damaged: remove it.",
            file, foreign);
      }
    }
    statistics.complete();
    if (statistics.clocks.isEmpty()) {
      throw GridException.of(
          "The files in '%s' have no record yet: nodes write them when the recording stops, or a"
              + " buffer is full.",
          folder);
    }
    return statistics;
  }

  private void read(Path file) throws IOException {
    String name = name(file);
    if (!NAME.matcher(name).matches()) {
      throw new IOException("Ignite's reader knows the node by the name of the file.");
    }
    boolean whole = true;
    if (name.endsWith(COMPRESSED)) {
      Path folder = Files.createTempDirectory("pyrometer-statistics-");
      Path plain = folder.resolve(name.substring(0, name.length() - COMPRESSED.length()));
      try {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
          long unused = Files.copy(in, plain);
        } catch (EOFException end) {
          whole = false;
        }
        whole &= isWhole(plain);
      } finally {
        Files.deleteIfExists(plain);
        Files.deleteIfExists(folder);
      }
    } else {
      whole = isWhole(file);
    }
    if (!whole) {
      truncated.add(name);
    }
  }

  /** Reads a plain file; false if it ends within a record. */
  private boolean isWhole(Path file) throws IOException {
    FilePerformanceStatisticsReader reader = new FilePerformanceStatisticsReader(this);
    SharedStrings.know(reader, file);
    reader.read(List.of(file.toFile()));
    try {
      // The reader ignores a last record that is cut off, and leaves its bytes in the buffer.
      return ((ByteBuffer) field("buf").get(reader)).position() == 0;
    } catch (ReflectiveOperationException otherVersion) {
      return true;
    }
  }

  static Field field(String name) throws ReflectiveOperationException {
    Field field = FilePerformanceStatisticsReader.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
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
    clocks.values().stream()
        .max(Comparator.comparingLong(Clock::getCount))
        .ifPresent(usual -> clocks.values().forEach(own -> own.adjustTo(usual)));
  }

  /** Names of nodes are long; their first characters suffice. */
  static String name(UUID node) {
    return node.toString().substring(0, 8);
  }

  String cache(int id) {
    return cacheNames.getOrDefault(id, "cache " + id);
  }

  /** The nodes of the files, also those without a record. */
  Set<UUID> nodes() {
    return files.stream()
        .map(file -> UUID.fromString(NAME.matcher(name(file)).replaceFirst("$1")))
        .collect(Collectors.toSet());
  }

  /** Nodes that executed queries or jobs, wrote to disk, or have no record. */
  Set<UUID> presumedServers() {
    Set<UUID> all = nodes();
    all.removeAll(clocks.keySet());
    all.addAll(servers);
    return all;
  }

  /** The time from the first to the last record of all nodes; at least a second. */
  double seconds() {
    LongSummaryStatistics all = new LongSummaryStatistics();
    for (Clock clock : clocks.values()) {
      all.accept(clock.getMin() + clock.shift);
      all.accept(clock.getMax() + clock.shift);
    }
    return Math.max(1, (all.getMax() - all.getMin()) / 1e3);
  }

  /** Number of calls that ended in each second that has any, by adjusted clocks. */
  NavigableMap<Long, Integer> bySecond(Calls calls) {
    NavigableMap<Long, Integer> all = new TreeMap<>();
    calls.bySecond.forEach(
        (second, number) -> {
          long shift = clocks.getOrDefault(second.node, new Clock()).shift;
          all.merge(second.sinceEpoch + shift / 1_000, number, Integer::sum);
        });
    return all;
  }

  /** The calls of a cache on all nodes. */
  Calls calls(int cache) {
    return Calls.sum(operations, each -> each.cache() == cache);
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
