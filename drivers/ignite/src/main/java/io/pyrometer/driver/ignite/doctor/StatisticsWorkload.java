package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Operation;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Transactions;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;

/** The workload of the cache with the most calls in performance statistics. */
public final class StatisticsWorkload {
  /** Operations of a mix by those that are recorded; others have none. */
  private static final Map<OperationType, String> MIX = new EnumMap<>(OperationType.class);

  static {
    MIX.put(OperationType.CACHE_GET, "get");
    MIX.put(OperationType.CACHE_GET_ALL, "get-all");
    MIX.put(OperationType.CACHE_PUT, "put");
    MIX.put(OperationType.CACHE_GET_AND_PUT, "put");
    MIX.put(OperationType.CACHE_PUT_ALL, "put-all");
    MIX.put(OperationType.CACHE_INVOKE, "invoke");
    MIX.put(OperationType.CACHE_INVOKE_ALL, "invoke");
    MIX.put(OperationType.CACHE_REMOVE, "remove");
    MIX.put(OperationType.CACHE_GET_AND_REMOVE, "remove");
    MIX.put(OperationType.CACHE_REMOVE_ALL, "remove");
  }

  private static final Set<String> READS = Set.of("get", "get-all");
  private static final Set<String> BATCHES = Set.of("get-all", "put-all");

  /** Operations of the application's own transactions; those that Ignite makes have one write. */
  private static final double WRITES_OF_TRANSACTION = 1.5;

  private static final long RECORDS = 100_000;
  private static final int BATCH = 100;
  private static final int MAX_NODES = 3;
  private static final int MAX_AGENTS = 4;
  private static final int MAX_THREADS = 64;
  private static final double BUSY_CLIENT = 0.05;
  private static final int STAGES = 6;
  private static final int MAX_SECONDS = 60;
  private static final int MEASURED_SECONDS = 10;

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
    Map<Integer, Long> calls = new TreeMap<>();
    seen.operations()
        .forEach((operation, each) -> calls.merge(operation.cache(), each.count(), Long::sum));
    this.cache =
        calls.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .orElseThrow(() -> new GridException("The statistics have no operation of a cache."))
            .getKey();
    Set<String> others = new TreeSet<>();
    calls.keySet().stream().filter(id -> id != cache).forEach(id -> others.add(seen.cache(id)));
    if (!others.isEmpty()) {
      note("caches", Map.of("caches", Value.names(others)));
    }
  }

  /**
   * Reads a folder of files of performance statistics.
   *
   * @throws GridException with one sentence if it holds none, others, or no operation of a cache
   */
  public static WorkloadSample of(Path folder) {
    return of(StatisticsFiles.below(folder).statistics());
  }

  static WorkloadSample of(PerformanceStatistics seen) {
    StatisticsWorkload workload = new StatisticsWorkload(seen);
    workload.describe();
    return new WorkloadSample(
        seen.cache(workload.cache), workload.grid, workload.workload, workload.notes);
  }

  private void note(String id, Map<String, Value> values) {
    notes.add(new Note(id, values));
  }

  private void describe() {
    Map<String, Calls> byOperation = new TreeMap<>();
    Set<String> left = new TreeSet<>();
    for (OperationType type : OperationType.CACHE_OPS) {
      Calls calls = calls(type);
      if (calls.count() > 0 && MIX.containsKey(type)) {
        byOperation.computeIfAbsent(MIX.get(type), name -> new Calls()).add(calls, 0);
      } else if (calls.count() > 0) {
        left.add(StatisticsTables.name(type));
      }
    }
    if (!left.isEmpty()) {
      note("operations", Map.of("operations", Value.names(left)));
    }
    Calls all = new Calls();
    byOperation.values().forEach(calls -> all.add(calls, 0));
    Transactions transactions = new Transactions();
    seen.transactions()
        .forEach(
            (caches, same) -> {
              if (caches.contains(cache)) {
                transactions.committed.add(same.committed, 0);
                transactions.rolledBack.add(same.rolledBack, 0);
              }
            });
    int nodes = Math.max(1, seen.servers().size());
    grid.put("nodes", Math.min(MAX_NODES, nodes));
    note("servers", Map.of("servers", Value.count(seen.servers().size())));
    if (transactions.committed.count() > 0) {
      grid.put("atomicity", "TRANSACTIONAL");
    }
    workload.put("record", "stock-order");
    workload.put("records", RECORDS);
    note("records", Map.of("records", Value.count(RECORDS)));
    workload.put("keys", "uniform");
    note("keys", Map.of());
    long writes =
        byOperation.entrySet().stream()
            .filter(each -> !READS.contains(each.getKey()))
            .mapToLong(each -> each.getValue().count())
            .sum();
    boolean own =
        transactions.committed.count() > 0
            && writes > WRITES_OF_TRANSACTION * transactions.committed.count();
    if (own) {
      workload.put("path", "transfer");
      note("transactions", Map.of());
      figures("transfer", transactions.committed);
      load(transactions.committed, 1);
    } else {
      mix(byOperation, all, writes);
    }
  }

  private Calls calls(OperationType type) {
    return seen.calls(each -> each.cache() == cache && each.type() == type);
  }

  private void mix(Map<String, Calls> byOperation, Calls all, long writes) {
    boolean thin = share(seen.servers(), all) > 0.5;
    String kind = thin ? "thin-" : "";
    Map<String, Calls> kept = new TreeMap<>(byOperation);
    if (thin && kept.remove("invoke") != null) {
      note("invoke", Map.of());
    }
    if (writes == 0 || kept.size() == 1) {
      String most =
          kept.entrySet().stream()
              .max(Comparator.comparingLong(each -> each.getValue().count()))
              .orElseThrow()
              .getKey();
      kept.keySet().retainAll(Set.of(most));
      workload.put("path", kind + most);
    } else {
      workload.put("path", kind + "mixed");
      workload.put("mix", shares(kept));
    }
    if (kept.containsKey("invoke")) {
      note("attached", Map.of());
    }
    if (kept.keySet().stream().anyMatch(BATCHES::contains)) {
      workload.put("batch", BATCH);
      note("batch", Map.of("batch", Value.count(BATCH)));
    }
    Calls sum = new Calls();
    kept.forEach(
        (operation, calls) -> {
          sum.add(calls, 0);
          figures(operation, calls);
        });
    load(sum, thin ? 1 : clients(all));
  }

  /** Shares that add up to 100 % exactly. */
  private static Map<String, Object> shares(Map<String, Calls> operations) {
    long all = operations.values().stream().mapToLong(Calls::count).sum();
    Map<String, Long> hundredths = new LinkedHashMap<>();
    operations.entrySet().stream()
        .sorted(Comparator.comparingLong(each -> each.getValue().count()))
        .forEach(
            each -> hundredths.put(each.getKey(), 10_000 * each.getValue().count() / all));
    hundredths.values().removeIf(share -> share == 0);
    String most = List.copyOf(hundredths.keySet()).get(hundredths.size() - 1);
    long rest = 10_000 - hundredths.values().stream().mapToLong(Long::longValue).sum();
    hundredths.merge(most, rest, Long::sum);
    Map<String, Object> shares = new LinkedHashMap<>();
    hundredths.forEach((name, share) -> shares.put(name, share / 100.0 + "%"));
    return shares;
  }

  private double share(Set<UUID> nodes, Calls all) {
    Calls ofThem = seen.calls(each -> each.cache() == cache && nodes.contains(each.node()));
    return (double) ofThem.count() / all.count();
  }

  private int clients(Calls all) {
    Set<UUID> nodes =
        seen.operations().keySet().stream()
            .filter(each -> each.cache() == cache)
            .map(Operation::node)
            .collect(Collectors.toSet());
    long busy = nodes.stream().filter(node -> share(Set.of(node), all) > BUSY_CLIENT).count();
    return (int) Math.max(1, Math.min(MAX_AGENTS, busy));
  }

  private void figures(String operation, Calls calls) {
    note(
        "operation",
        Map.of(
            "operation",
            Value.name(operation),
            "rate",
            Value.rate(calls.count() / seen.seconds()),
            "p50",
            Value.micros(calls.micros(50)),
            "p99",
            Value.micros(calls.micros(99))));
  }

  /**
   * The rate in parts of whole seconds, without the first and the last second, which are not
   * recorded in full.
   */
  private static List<Part> parts(Map<Long, Integer> bySecond) {
    List<Long> seconds = List.copyOf(bySecond.keySet());
    long from = seconds.get(0);
    long to = seconds.get(seconds.size() - 1);
    if (to - from > 1) {
      from++;
    } else {
      to++;
    }
    long length = (to - from + STAGES - 1) / STAGES;
    List<Part> parts = new ArrayList<>();
    for (long begin = from; begin < to; begin += length) {
      long calls = 0;
      for (long second = begin; second < Math.min(to, begin + length); second++) {
        calls += bySecond.getOrDefault(second, 0);
      }
      parts.add(new Part(calls, Math.min(to, begin + length) - begin));
    }
    return parts;
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

  private void load(Calls calls, int agents) {
    List<Part> parts = parts(calls.bySecond());
    Part most = parts.stream().max(Comparator.comparingDouble(Part::rate)).orElseThrow();
    Part least = parts.stream().min(Comparator.comparingDouble(Part::rate)).orElseThrow();
    long seconds = parts.stream().mapToLong(Part::seconds).sum();
    if (agents > 1) {
      workload.put("agents", agents);
    }
    double inFlight = most.rate() * calls.mean();
    workload.put(
        "threads", (int) Math.max(1, Math.min(MAX_THREADS, Math.ceil(2 * inFlight / agents))));
    if (most.exceeds(least)) {
      double scale = Math.min(1, (double) MAX_SECONDS / seconds);
      List<Map<String, Object>> stages = new ArrayList<>();
      for (Part part : parts) {
        Map<String, Object> stage = new LinkedHashMap<>();
        stage.put("rate", whole(part.rate()));
        stage.put("for", whole(scale * part.seconds()) + "s");
        stages.add(stage);
      }
      workload.put("stages", stages);
    } else {
      workload.put("rate", whole((double) parts.stream().mapToLong(Part::calls).sum() / seconds));
      workload.put("measure", MEASURED_SECONDS + "s");
    }
    workload.put("arrival", "poisson");
    note("load", Map.of());
  }

  private static long whole(double value) {
    return Math.max(1, Math.round(value));
  }
}
