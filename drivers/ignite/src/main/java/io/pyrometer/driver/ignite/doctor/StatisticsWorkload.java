package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Operation;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.protocol.WorkloadSample;
import io.pyrometer.protocol.WorkloadSample.Note;
import io.pyrometer.protocol.message.Value;
import java.nio.file.Path;
import java.util.ArrayList;
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
import java.util.stream.Stream;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/**
 * The workload in performance statistics: operations of the cache with the most calls, and queries.
 */
public final class StatisticsWorkload {
  private static final String INVOKE = "invoke";
  private static final String REMOVE = "remove";
  private static final String GET_ALL = "get-all";
  private static final Set<String> MIX = Set.of("get", GET_ALL, "put", "put-all", INVOKE, REMOVE);

  /** Writes of the application's own transactions; those that Ignite makes have one. */
  private static final double WRITES_OF_TRANSACTION = 1.5;

  private static final int BATCH = 100;
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
    this.cache = seen.caches().stream().max(Comparator.comparing(id -> seen.calls(id).count()));
  }

  /**
   * Reads a folder of files of performance statistics.
   *
   * @param records that the experiment writes
   * @throws GridException with one sentence if it holds none, others, or nothing to repeat
   */
  public static WorkloadSample of(Path folder, long records) {
    return new StatisticsWorkload(PerformanceStatistics.below(folder), records).sample();
  }

  private void note(String id) {
    note(id, Map.of());
  }

  private void note(String id, Map<String, Value> values) {
    notes.add(new Note(id, values));
  }

  private void noteNames(String id, Stream<String> names) {
    List<String> all = names.distinct().toList();
    if (!all.isEmpty()) {
      note(id, Map.of(id, Value.names(all)));
    }
  }

  private WorkloadSample sample() {
    int servers = seen.presumedServers().size();
    boolean queried = !queries.table().isEmpty();
    Map<String, Value> written = Map.of("records", Value.count(records));
    grid.put("nodes", Math.max(1, Math.min(3, servers)));
    note("servers", Map.of("servers", Value.count(servers)));
    note("keys");
    note("load");
    if (!queried) {
      workload.put("record", "stock-order");
    }
    workload.put("records", records);
    workload.put("keys", "uniform");
    cache.ifPresent(this::operations);
    note(queried ? "columns" : "records", written);
    if (queried) {
      if (queries.areOfCalcite()) {
        grid.put("sql-engine", "calcite");
      }
      load("queries", queries.settings(), queries.calls(), false);
    }
    noteStatements(queries.left);
    noteNames("tasks", seen.jobs.stream().map(job -> job.task().name));
    if (cases.isEmpty()) {
      throw new GridException("The statistics have no operation or query that can be repeated.");
    }
    if (cases.size() > 1) {
      note("cases");
    } else {
      cases.values().forEach(workload::putAll);
      cases.clear();
    }
    return new WorkloadSample(
        cache.map(seen::cache).orElse(queries.table()),
        grid,
        workload,
        queried ? Optional.of(queries.record()) : Optional.empty(),
        cases,
        notes);
  }

  private void noteStatements(List<Statement> left) {
    for (Statement statement : left.subList(0, Math.min(SHOWN, left.size()))) {
      Value share = Value.share(statement.calls.seconds() / seen.statementSeconds());
      Value text = Value.name(SqlChecks.shown(statement.text));
      note("statement", Map.of("share", share, "statement", text));
    }
    if (left.size() > SHOWN) {
      note("statements", Map.of("statements", Value.count(left.size() - SHOWN)));
    } else if (!left.isEmpty()) {
      note("statements");
    }
  }

  private void operations(int id) {
    noteNames("caches", seen.caches().stream().filter(other -> other != id).map(seen::cache));
    Map<String, Calls> operations = new TreeMap<>();
    seen.operations.forEach(
        (each, calls) -> {
          if (each.cache() == id && OperationType.CACHE_OPS.contains(each.type())) {
            operations.computeIfAbsent(ofMix(each), name -> new Calls()).add(calls);
          }
        });
    noteNames("operations", operations.keySet().stream().filter(o -> !MIX.contains(o)));
    operations.keySet().retainAll(MIX);
    Calls committed = Calls.sum(seen.committed, caches -> caches.contains(id));
    long rolledBack = Calls.sum(seen.rolledBack, caches -> caches.contains(id)).count();
    if (rolledBack > 0) {
      note("rollbacks", Map.of("rollbacks", Value.count(rolledBack)));
    }
    if (committed.count() > 0) {
      grid.put("atomicity", "TRANSACTIONAL");
    }
    long writes = Calls.sum(operations, name -> !name.startsWith("get")).count();
    if (committed.count() > 0 && writes > WRITES_OF_TRANSACTION * committed.count()) {
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

  private void mix(int id, Map<String, Calls> operations) {
    Calls ofServers =
        Calls.sum(seen.operations, o -> o.cache() == id && seen.servers.contains(o.node()));
    boolean thin = 2 * ofServers.count() > seen.calls(id).count();
    if (operations.containsKey(INVOKE)) {
      note(thin ? "invoke" : "attached");
    }
    if (thin) {
      operations.remove(INVOKE);
    }
    String kind = thin ? "thin-" : "";
    Map<String, Object> settings = new LinkedHashMap<>();
    boolean mixed = operations.size() > 1 || operations.containsKey(INVOKE);
    if (mixed && operations.keySet().stream().anyMatch(StatisticsWorkload::writes)) {
      settings.put("path", kind + "mixed");
      settings.put("mix", shares(operations));
    } else {
      Set<String> others = new TreeSet<>(operations.keySet());
      operations.remove(REMOVE);
      operations.keySet().retainAll(mostFrequent(operations).stream().toList());
      others.removeAll(operations.keySet());
      noteNames("others", others.stream());
      settings.put("path", kind + String.join("", operations.keySet()));
      if (operations.containsKey(GET_ALL)) {
        workload.remove("keys"); // it reads all records, batch by batch
      }
    }
    if (operations.keySet().stream().anyMatch(name -> name.endsWith("-all"))) {
      settings.put("batch", BATCH);
      note("batch", Map.of("batch", Value.count(BATCH)));
    }
    if (!operations.isEmpty()) {
      load("operations", settings, operations, thin);
    }
  }

  /** Returns whether an operation of a mix is one that a mix needs. */
  private static boolean writes(String operation) {
    return !operation.startsWith("get") && !operation.equals(REMOVE);
  }

  private static Optional<String> mostFrequent(Map<String, Calls> operations) {
    return operations.entrySet().stream()
        .max(Comparator.comparing(each -> each.getValue().count()))
        .map(Map.Entry::getKey);
  }

  /** Shares that add up to 100 % exactly; the most frequent operation has the rest. */
  private static Map<String, Object> shares(Map<String, Calls> operations) {
    String most = mostFrequent(operations).orElseThrow();
    double all = Calls.sum(operations, each -> true).count();
    long rest = 10_000;
    Map<String, Object> shares = new LinkedHashMap<>();
    for (Map.Entry<String, Calls> each : operations.entrySet()) {
      long hundredths = Math.round(1e4 * each.getValue().count() / all);
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

    Map<String, Object> stage(double scale) {
      return Map.of("rate", whole(rate()), "for", whole(scale * seconds) + "s");
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
    recorded.forEach(
        (operation, calls) ->
            note(
                "operation",
                Map.of(
                    "operation", Value.name(operation),
                    "rate", Value.rate(calls.count() / seen.seconds()),
                    "p50", Value.micros(calls.micros(50)),
                    "p99", Value.micros(calls.micros(99)))));
    Calls all = Calls.sum(recorded, each -> true);
    List<Part> parts = parts(seen.bySecond(all));
    Part most = Collections.max(parts, Comparator.comparingDouble(Part::rate));
    Part least = Collections.min(parts, Comparator.comparingDouble(Part::rate));
    double seconds = parts.stream().mapToLong(Part::seconds).sum();
    long callers =
        all.byNode().values().stream().filter(n -> n > BUSY_CLIENT * all.count()).count();
    long agents = thin ? 1 : Math.max(1, Math.min(4, callers));
    double inFlight = most.rate() * all.mean() / agents;
    double threads = Math.ceil(inFlight + DEVIATIONS * Math.sqrt(inFlight)) + 1;
    Map<String, Object> made = new LinkedHashMap<>(settings);
    made.put("agents", agents);
    made.put("threads", (long) Math.min(64, threads));
    if (most.exceeds(least)) {
      double scale = Math.min(1, MAX_SECONDS / seconds);
      made.put("stages", parts.stream().map(part -> part.stage(scale)).toList());
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
