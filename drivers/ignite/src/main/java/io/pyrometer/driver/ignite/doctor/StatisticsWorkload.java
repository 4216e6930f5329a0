package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Operation;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Transactions;
import io.pyrometer.protocol.WorkloadSample;
import io.pyrometer.protocol.WorkloadSample.Note;
import io.pyrometer.protocol.message.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/**
 * The workload in performance statistics: operations of the cache with the most calls, and queries.
 */
public final class StatisticsWorkload {
  private static final String INVOKE = "invoke";
  private static final String REMOVE = "remove";
  private static final String GET_ALL = "get-all";
  private static final Set<String> READS = Set.of("get", GET_ALL);
  private static final Set<String> BATCHES = Set.of(GET_ALL, "put-all");

  /** A mix needs one of these. */
  private static final Set<String> WRITES = Set.of("put", "put-all", INVOKE);

  private static final Set<String> MIX = Set.of("get", GET_ALL, "put", "put-all", INVOKE, REMOVE);

  /** Writes of the application's own transactions; those that Ignite makes have one. */
  private static final double WRITES_OF_TRANSACTION = 1.5;

  private static final int BATCH = 100;
  private static final int MAX_NODES = 3;
  private static final int MAX_AGENTS = 4;
  private static final int MAX_THREADS = 64;
  private static final double BUSY_CLIENT = 0.05;
  private static final int STAGES = 6;
  private static final long MIN_STAGE_SECONDS = 5;
  private static final int MAX_SECONDS = 60;

  /** Statements that are left out and shown; the others are counted. */
  private static final int SHOWN = 5;

  /** The ratio of the highest rate of a part to the lowest from which there are stages. */
  private static final double UNSTEADY = 1.3;

  /** Standard deviations of a Poisson distribution. */
  private static final double DEVIATIONS = 4;

  private final PerformanceStatistics seen;
  private final long records;
  private final StatisticsQueries queries;
  private final Optional<Integer> cache;
  private final List<Note> notes = new ArrayList<>();
  private final Map<String, Object> grid = new LinkedHashMap<>();
  private final Map<String, Object> workload = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> cases = new LinkedHashMap<>();

  private StatisticsWorkload(PerformanceStatistics seen, long records) {
    this.seen = seen;
    this.records = records;
    this.queries = new StatisticsQueries(seen, records);
    this.cache =
        seen.caches().stream()
            .max(Comparator.comparingLong(id -> seen.calls(id, type -> true).count()));
  }

  /**
   * Reads a folder of files of performance statistics.
   *
   * @param records that the experiment writes
   * @throws GridException with one sentence if it holds none, others, or nothing to repeat
   */
  public static WorkloadSample of(Path folder, long records) {
    StatisticsFiles files = StatisticsFiles.below(folder);
    StatisticsWorkload made = new StatisticsWorkload(files.statistics(), records);
    Set<UUID> servers = new TreeSet<>(files.nodes());
    servers.removeAll(made.seen.nodes());
    servers.addAll(made.seen.servers);
    made.describe(servers.size());
    String name = made.cache.map(made.seen::cache).orElse(made.queries.table());
    return new WorkloadSample(
        name,
        made.grid,
        made.workload,
        Optional.of(made.queries.record()).filter(record -> !record.name().isEmpty()),
        made.cases,
        made.notes);
  }

  private void note(String id) {
    notes.add(new Note(id, Map.of()));
  }

  private void note(String id, String name, Value value) {
    notes.add(new Note(id, Map.of(name, value)));
  }

  private void noteNames(String id, Collection<String> names) {
    if (!names.isEmpty()) {
      note(id, id, Value.names(names));
    }
  }

  /**
   * @param servers nodes that executed queries or jobs, wrote to disk, or have no record
   */
  private void describe(int servers) {
    grid.put("nodes", Math.max(1, Math.min(MAX_NODES, servers)));
    note("servers", "servers", Value.count(servers));
    note("keys");
    note("load");
    if (queries.table().isEmpty()) {
      workload.put("record", "stock-order");
    }
    workload.put("records", records);
    workload.put("keys", "uniform");
    cache.ifPresent(this::operations);
    if (queries.table().isEmpty()) {
      note("records", "records", Value.count(records));
    } else {
      if (queries.areOfCalcite()) {
        grid.put("sql-engine", "calcite");
      }
      note("columns", "records", Value.count(records));
      load("queries", queries.settings(), queries.calls(), false);
    }
    noteStatements();
    noteNames(
        "tasks", seen.jobs.stream().map(job -> seen.task(job.session()).name).distinct().toList());
    if (cases.isEmpty()) {
      throw new GridException("The statistics have no operation or query that can be repeated.");
    }
    if (cases.size() > 1) {
      note("cases");
    } else {
      cases.values().forEach(workload::putAll);
      cases.clear();
    }
  }

  private void noteStatements() {
    double seconds = seen.statementSeconds();
    List<Statement> left = queries.left;
    for (Statement statement : left.subList(0, Math.min(SHOWN, left.size()))) {
      Value share = Value.share(statement.calls.seconds() / seconds);
      Value text = Value.name(SqlChecks.shown(statement.text));
      notes.add(new Note("statement", Map.of("share", share, "statement", text)));
    }
    if (left.size() > SHOWN) {
      note("statements", "statements", Value.count(left.size() - SHOWN));
    } else if (!left.isEmpty()) {
      note("statements");
    }
  }

  private void operations(int id) {
    noteNames(
        "caches", seen.caches().stream().filter(other -> other != id).map(seen::cache).toList());
    Map<String, Calls> operations = new TreeMap<>();
    seen.operations.forEach(
        (each, calls) -> {
          if (each.cache() == id && OperationType.CACHE_OPS.contains(each.type())) {
            operations.computeIfAbsent(ofMix(each), name -> new Calls()).add(calls);
          }
        });
    noteNames("operations", operations.keySet().stream().filter(o -> !MIX.contains(o)).toList());
    operations.keySet().retainAll(MIX);
    List<Transactions> own =
        seen.transactions.entrySet().stream()
            .filter(each -> each.getKey().contains(id))
            .map(Map.Entry::getValue)
            .toList();
    Calls committed = Calls.sum(own.stream().map(each -> each.committed).toList());
    long rolledBack = own.stream().mapToLong(each -> each.rolledBack.count()).sum();
    if (rolledBack > 0) {
      note("rollbacks", "rollbacks", Value.count(rolledBack));
    }
    if (committed.count() > 0) {
      grid.put("atomicity", "TRANSACTIONAL");
    }
    Map<String, Calls> writes = new TreeMap<>(operations);
    writes.keySet().removeAll(READS);
    if (committed.count() > 0 && count(writes) > WRITES_OF_TRANSACTION * committed.count()) {
      note("transactions");
      load("operations", Map.of("path", "transfer"), Map.of("transfer", committed), false);
    } else {
      mix(id, operations);
    }
  }

  /** The operation of a mix in place of a recorded one: {@code put} for {@code get-and-put}. */
  private static String ofMix(Operation recorded) {
    return recorded
        .name()
        .replaceFirst("^get-and-", "")
        .replaceFirst("^(invoke|remove)-all$", "$1");
  }

  private static long count(Map<String, Calls> operations) {
    return operations.values().stream().mapToLong(Calls::count).sum();
  }

  private void mix(int id, Map<String, Calls> operations) {
    Calls ofServers = seen.calls(each -> each.cache() == id && seen.servers.contains(each.node()));
    boolean thin = 2 * ofServers.count() > seen.calls(id, type -> true).count();
    if (operations.containsKey(INVOKE)) {
      note(thin ? "invoke" : "attached");
    }
    if (thin) {
      operations.remove(INVOKE);
    }
    String kind = thin ? "thin-" : "";
    Map<String, Object> settings = new LinkedHashMap<>();
    boolean mixed = operations.size() > 1 || operations.containsKey(INVOKE);
    if (mixed && operations.keySet().stream().anyMatch(WRITES::contains)) {
      settings.put("path", kind + "mixed");
      settings.put("mix", shares(operations));
    } else {
      Set<String> others = new TreeSet<>(operations.keySet());
      operations.remove(REMOVE);
      operations.keySet().retainAll(mostFrequent(operations).stream().toList());
      others.removeAll(operations.keySet());
      noteNames("others", others);
      settings.put("path", kind + String.join("", operations.keySet()));
      if (operations.containsKey(GET_ALL)) {
        workload.remove("keys"); // it reads all records, batch by batch
      }
    }
    if (operations.keySet().stream().anyMatch(BATCHES::contains)) {
      settings.put("batch", BATCH);
      note("batch", "batch", Value.count(BATCH));
    }
    if (!operations.isEmpty()) {
      load("operations", settings, operations, thin);
    }
  }

  private static Optional<String> mostFrequent(Map<String, Calls> operations) {
    return operations.keySet().stream()
        .max(Comparator.comparingLong(each -> count(Map.of(each, operations.get(each)))));
  }

  /** Shares that add up to 100 % exactly; the most frequent operation has the rest. */
  private static Map<String, Object> shares(Map<String, Calls> operations) {
    String most = mostFrequent(operations).orElseThrow();
    long rest = 10_000;
    Map<String, Object> shares = new LinkedHashMap<>();
    for (Map.Entry<String, Calls> each : operations.entrySet()) {
      long hundredths = Math.round(1e4 * each.getValue().count() / count(operations));
      if (!each.getKey().equals(most) && hundredths > 0) {
        rest -= hundredths;
        shares.put(each.getKey(), hundredths / 100.0 + "%");
      }
    }
    shares.put(most, rest / 100.0 + "%");
    return shares;
  }

  /** Calls within some seconds. */
  private record Part(long calls, long seconds) {
    double rate() {
      return (double) calls / seconds;
    }

    /** Returns whether the rate is higher than another by more than chance explains. */
    boolean exceeds(Part other) {
      return rate() > UNSTEADY * other.rate()
          && rate() - other.rate() > DEVIATIONS * Math.sqrt(rate() / seconds);
    }
  }

  /** Parts of whole seconds, without the first and the last, which are not recorded in full. */
  private static List<Part> parts(NavigableMap<Long, Integer> bySecond) {
    boolean whole = bySecond.lastKey() - bySecond.firstKey() > 1;
    long from = bySecond.firstKey() + (whole ? 1 : 0);
    long to = bySecond.lastKey() + (whole ? 0 : 1);
    long length = Math.max(MIN_STAGE_SECONDS, (to - from + STAGES - 1) / STAGES);
    List<Part> parts = new ArrayList<>();
    for (long begin = from; begin < to; begin += length) {
      long end = Math.min(to, begin + length);
      long calls = bySecond.subMap(begin, end).values().stream().mapToLong(each -> each).sum();
      parts.add(new Part(calls, end - begin));
    }
    return parts;
  }

  /** Adds a case whose calls have the recorded rate. */
  private void load(
      String name, Map<String, Object> settings, Map<String, Calls> recorded, boolean thin) {
    Calls all = Calls.sum(recorded.values());
    recorded.forEach(
        (operation, calls) ->
            notes.add(
                new Note(
                    "operation",
                    Map.of(
                        "operation", Value.name(operation),
                        "rate", Value.rate(calls.count() / seen.seconds()),
                        "p50", Value.micros(calls.micros(50)),
                        "p99", Value.micros(calls.micros(99))))));
    List<Part> parts = parts(seen.bySecond(all));
    Part most = Collections.max(parts, Comparator.comparingDouble(Part::rate));
    Part least = Collections.min(parts, Comparator.comparingDouble(Part::rate));
    long seconds = parts.stream().mapToLong(Part::seconds).sum();
    long callers =
        all.byNode().values().stream().filter(n -> n > BUSY_CLIENT * all.count()).count();
    long agents = thin ? 1 : Math.max(1, Math.min(MAX_AGENTS, callers));
    double inFlight = most.rate() * all.mean() / agents;
    double threads = Math.ceil(inFlight + DEVIATIONS * Math.sqrt(inFlight)) + 1;
    Map<String, Object> made = new LinkedHashMap<>(settings);
    made.put("agents", agents);
    made.put("threads", (long) Math.min(MAX_THREADS, threads));
    if (most.exceeds(least)) {
      double scale = Math.min(1, (double) MAX_SECONDS / seconds);
      made.put(
          "stages",
          parts.stream()
              .map(
                  part ->
                      Map.of(
                          "rate", whole(part.rate()), "for", whole(scale * part.seconds()) + "s"))
              .toList());
    } else {
      made.put("rate", whole(parts.stream().mapToDouble(Part::calls).sum() / seconds));
      made.put("measure", "10s");
    }
    made.put("arrival", "poisson");
    cases.put(name, made);
  }

  private static long whole(double value) {
    return Math.max(1, Math.round(value));
  }
}
