package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.protocol.WorkloadSample;
import io.pyrometer.protocol.WorkloadSample.Note;
import io.pyrometer.protocol.message.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/** The workload of the cache with the most calls in performance statistics. */
public final class StatisticsWorkload {
  private static final String INVOKE = "invoke";

  /** Operations of a mix by those that are recorded; a lock has none. */
  private static final Map<OperationType, String> MIX =
      new EnumMap<>(
          Map.of(
              OperationType.CACHE_GET, "get",
              OperationType.CACHE_GET_ALL, "get-all",
              OperationType.CACHE_PUT, "put",
              OperationType.CACHE_GET_AND_PUT, "put",
              OperationType.CACHE_PUT_ALL, "put-all",
              OperationType.CACHE_INVOKE, INVOKE,
              OperationType.CACHE_INVOKE_ALL, INVOKE,
              OperationType.CACHE_REMOVE, "remove",
              OperationType.CACHE_GET_AND_REMOVE, "remove",
              OperationType.CACHE_REMOVE_ALL, "remove"));

  private static final String REMOVE = "remove";

  /** A mix needs one of these. */
  private static final Set<String> WRITES_OF_MIX = Set.of("put", "put-all", INVOKE);

  private static final Set<String> READS = Set.of("get", "get-all");
  private static final Set<String> BATCHES = Set.of("get-all", "put-all");

  /** Writes of the application's own transactions; those that Ignite makes have one. */
  private static final double WRITES_OF_TRANSACTION = 1.5;

  private static final long RECORDS = 100_000;
  private static final int BATCH = 100;
  private static final int MAX_NODES = 3;
  private static final int MAX_AGENTS = 4;
  private static final int MAX_THREADS = 64;
  private static final double BUSY_CLIENT = 0.05;
  private static final int STAGES = 6;
  private static final long MIN_STAGE_SECONDS = 5;
  private static final int MAX_SECONDS = 60;

  /** The ratio of the highest rate of a part to the lowest from which there are stages. */
  private static final double UNSTEADY = 1.3;

  /** Standard deviations of a Poisson distribution. */
  private static final double DEVIATIONS = 4;

  private final PerformanceStatistics seen;
  private final int cache;
  private final List<Note> notes = new ArrayList<>();
  private final Map<String, Object> grid = new LinkedHashMap<>();
  private final Map<String, Object> workload = new LinkedHashMap<>();

  private StatisticsWorkload(PerformanceStatistics seen) {
    this.seen = seen;
    this.cache =
        seen.caches().stream()
            .max(Comparator.comparingLong(id -> seen.calls(id, type -> true).count()))
            .orElseThrow(() -> new GridException("The statistics have no operation of a cache."));
  }

  /**
   * Reads a folder of files of performance statistics.
   *
   * @throws GridException with one sentence if it holds none, others, or no operation of a cache
   */
  public static WorkloadSample of(Path folder) {
    StatisticsFiles files = StatisticsFiles.below(folder);
    StatisticsWorkload made = new StatisticsWorkload(files.statistics());
    int idle = files.nodes().size() - made.seen.nodes().size();
    made.describe(made.seen.servers.size() + idle);
    return new WorkloadSample(made.seen.cache(made.cache), made.grid, made.workload, made.notes);
  }

  private void note(String id) {
    notes.add(new Note(id, Map.of()));
  }

  private void note(String id, String name, Value value) {
    notes.add(new Note(id, Map.of(name, value)));
  }

  private void noteNames(String id, Set<String> names) {
    if (!names.isEmpty()) {
      note(id, id, Value.names(names));
    }
  }

  /**
   * @param servers nodes that executed queries or jobs, wrote to disk, or have no record
   */
  private void describe(int servers) {
    Set<String> otherCaches = new TreeSet<>();
    seen.caches().stream().filter(id -> id != cache).map(seen::cache).forEach(otherCaches::add);
    noteNames("caches", otherCaches);
    Map<String, Calls> operations = new TreeMap<>();
    Set<String> left = new TreeSet<>();
    for (OperationType type : OperationType.CACHE_OPS) {
      Calls calls = seen.calls(cache, type::equals);
      if (calls.count() > 0 && MIX.containsKey(type)) {
        operations.computeIfAbsent(MIX.get(type), name -> new Calls()).add(calls, 0);
      } else if (calls.count() > 0) {
        left.add(StatisticsTables.name(type));
      }
    }
    noteNames("operations", left);
    Calls committed = new Calls();
    seen.transactions.forEach(
        (caches, same) -> {
          if (caches.contains(cache)) {
            committed.add(same.committed, 0);
          }
        });
    grid.put("nodes", Math.max(1, Math.min(MAX_NODES, servers)));
    note("servers", "servers", Value.count(servers));
    if (committed.count() > 0) {
      grid.put("atomicity", "TRANSACTIONAL");
    }
    workload.put("record", "stock-order");
    workload.put("records", RECORDS);
    note("records", "records", Value.count(RECORDS));
    workload.put("keys", "uniform");
    note("keys");
    long writes =
        operations.entrySet().stream()
            .filter(each -> !READS.contains(each.getKey()))
            .mapToLong(each -> each.getValue().count())
            .sum();
    if (committed.count() > 0 && writes > WRITES_OF_TRANSACTION * committed.count()) {
      workload.put("path", "transfer");
      note("transactions");
      load(Map.of("transfer", committed), clients());
    } else {
      mix(operations);
    }
  }

  private void mix(Map<String, Calls> operations) {
    Calls all = seen.calls(cache, type -> true);
    Calls ofServers =
        seen.calls(each -> each.cache() == cache && seen.servers.contains(each.node()));
    boolean thin = 2 * ofServers.count() > all.count();
    String kind = thin ? "thin-" : "";
    if (operations.containsKey(INVOKE)) {
      note(thin ? "invoke" : "attached");
    }
    if (thin) {
      operations.remove(INVOKE);
    }
    String most = mostFrequent(operations);
    boolean writes = operations.keySet().stream().anyMatch(WRITES_OF_MIX::contains);
    if (!writes || (operations.size() == 1 && !most.equals(INVOKE))) {
      Set<String> others = new TreeSet<>(operations.keySet());
      operations.remove(REMOVE);
      most = mostFrequent(operations);
      others.remove(most);
      noteNames("others", others);
      operations.keySet().retainAll(Set.of(most));
      workload.put("path", kind + most);
    } else {
      workload.put("path", kind + "mixed");
      workload.put("mix", shares(operations, most));
    }
    if (operations.keySet().stream().anyMatch(BATCHES::contains)) {
      workload.put("batch", BATCH);
      note("batch", "batch", Value.count(BATCH));
    }
    load(operations, thin ? 1 : clients());
  }

  private static String mostFrequent(Map<String, Calls> operations) {
    return operations.entrySet().stream()
        .max(Comparator.comparingLong(each -> each.getValue().count()))
        .orElseThrow(() -> new GridException("The statistics have no operation of a mix."))
        .getKey();
  }

  /** Shares that add up to 100 % exactly; the most frequent operation has the rest. */
  private static Map<String, Object> shares(Map<String, Calls> operations, String most) {
    long all = operations.values().stream().mapToLong(Calls::count).sum();
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

  private int clients() {
    long all = seen.calls(cache, type -> true).count();
    long busy =
        seen.nodes().stream()
            .map(node -> seen.calls(each -> each.cache() == cache && each.node().equals(node)))
            .filter(calls -> calls.count() > BUSY_CLIENT * all)
            .count();
    return (int) Math.max(1, Math.min(MAX_AGENTS, busy));
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
    long from = bySecond.firstKey();
    long to = bySecond.lastKey();
    if (to - from > 1) {
      from++;
    } else {
      to++;
    }
    long length = Math.max(MIN_STAGE_SECONDS, (to - from + STAGES - 1) / STAGES);
    List<Part> parts = new ArrayList<>();
    for (long begin = from; begin < to; begin += length) {
      long end = Math.min(to, begin + length);
      long calls = bySecond.subMap(begin, end).values().stream().mapToLong(each -> each).sum();
      parts.add(new Part(calls, end - begin));
    }
    return parts;
  }

  private void load(Map<String, Calls> operations, int agents) {
    Calls all = new Calls();
    operations.forEach(
        (operation, calls) -> {
          all.add(calls, 0);
          notes.add(
              new Note(
                  "operation",
                  Map.of(
                      "operation", Value.name(operation),
                      "rate", Value.rate(calls.count() / seen.seconds()),
                      "p50", Value.micros(calls.micros(50)),
                      "p99", Value.micros(calls.micros(99)))));
        });
    List<Part> parts = parts(all.bySecond);
    Part most = parts.stream().max(Comparator.comparingDouble(Part::rate)).orElseThrow();
    Part least = parts.stream().min(Comparator.comparingDouble(Part::rate)).orElseThrow();
    long seconds = parts.stream().mapToLong(Part::seconds).sum();
    double threads = Math.ceil(2 * most.rate() * all.mean() / agents);
    workload.put("agents", agents);
    workload.put("threads", (int) Math.max(1, Math.min(MAX_THREADS, threads)));
    if (most.exceeds(least)) {
      double scale = Math.min(1, (double) MAX_SECONDS / seconds);
      workload.put(
          "stages",
          parts.stream()
              .map(
                  part ->
                      Map.of(
                          "rate", whole(part.rate()), "for", whole(scale * part.seconds()) + "s"))
              .toList());
    } else {
      workload.put("rate", whole(parts.stream().mapToDouble(Part::calls).sum() / seconds));
      workload.put("measure", "10s");
    }
    workload.put("arrival", "poisson");
    note("load");
  }

  private static long whole(double value) {
    return Math.max(1, Math.round(value));
  }
}
