package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A correct store in memory under concurrent processes in virtual time, with an optional planted
 * defect. An operation takes effect at an instant between its invocation and its completion.
 */
public final class SimulatedGrid {
  private static final int PROCESSES = 8;

  /** Operations of a key before a new one takes its place, as in a real trial. */
  private static final int LIFE = 200;

  /** What goes wrong. */
  public enum Defect {
    NONE,
    /** An acknowledged write is not applied. */
    LOSE,
    /** A write is applied after the next one to its key. */
    REORDER,
    /** A read is answered from a copy that misses the last write. */
    STALE,
    /** A write is applied once more, after the next one to its key. */
    TWICE,
    /** A transaction's writes become visible at two instants. */
    SPLIT
  }

  private final SplittableRandom random;
  private final Defect defect;
  private final double probability;
  private final Map<Object, Object> store = new HashMap<>();
  private final Map<Object, Object> copies = new HashMap<>();
  private final Map<Object, Object> deferred = new HashMap<>();
  private final List<Operation> history = new ArrayList<>();

  private long instants;

  private SimulatedGrid(long seed, Defect defect, double probability) {
    this.random = new SplittableRandom(seed);
    this.defect = defect;
    this.probability = probability;
  }

  private boolean goesWrong(Defect candidate) {
    return defect == candidate && random.nextDouble() < probability;
  }

  private record Instant(long time, long order, Runnable action) {}

  /** One operation of a process: takes effect, and gives its result. */
  @FunctionalInterface
  private interface Effect {
    Object apply();
  }

  private record Call(String function, Object key, Object argument, List<Effect> effects) {}

  @FunctionalInterface
  private interface Workload {
    Call next(int index);
  }

  private List<Operation> run(int operations, double unanswered, Workload workload) {
    PriorityQueue<Instant> agenda =
        new PriorityQueue<>(Comparator.comparingLong(Instant::time).thenComparing(Instant::order));
    int[] begun = {0};
    for (int process = 0; process < PROCESSES; process++) {
      int own = process;
      begin(agenda, own, random.nextLong(100), operations, unanswered, workload, begun);
    }
    while (!agenda.isEmpty()) {
      agenda.poll().action().run();
    }
    return history;
  }

  private void begin(
      PriorityQueue<Instant> agenda,
      int process,
      long at,
      int operations,
      double unanswered,
      Workload workload,
      int[] begun) {
    if (begun[0] == operations) {
      return;
    }
    Call call = workload.next(begun[0]++);
    boolean answered = random.nextDouble() >= unanswered;
    long end = at + 20 + random.nextLong(80);
    Object[] result = {Operation.NIL};
    long[] times =
        IntStream.range(0, call.effects().size())
            .mapToLong(i -> at + 1 + random.nextLong(end - at - 1))
            .sorted()
            .toArray();
    for (int i = 0; i < times.length; i++) {
      Effect effect = call.effects().get(i);
      // Half of the operations without an answer never take effect.
      if (answered || random.nextBoolean()) {
        agenda.add(new Instant(times[i], instants++, () -> result[0] = effect.apply()));
      }
    }
    agenda.add(
        new Instant(
            end,
            instants++,
            () -> {
              history.add(
                  new Operation(
                      process,
                      call.function(),
                      call.key(),
                      call.argument(),
                      answered ? result[0] : Operation.NIL,
                      at,
                      answered ? end : Operation.NEVER,
                      answered ? Outcome.OK : Outcome.UNKNOWN));
              begin(
                  agenda,
                  answered ? process : process + PROCESSES,
                  end + 1 + random.nextLong(20),
                  operations,
                  unanswered,
                  workload,
                  begun);
            }));
  }

  /** Reads, writes and compare-and-sets of registers. */
  public static List<Operation> registers(
      long seed, int operations, int keys, Defect defect, double probability) {
    SimulatedGrid grid = new SimulatedGrid(seed, defect, probability);
    return grid.run(operations, 0.005, index -> grid.register(index, keys));
  }

  private Call register(int index, int keys) {
    Object key = (long) (index / (LIFE * keys) * keys + random.nextInt(keys));
    long value = index + 1L;
    return switch (random.nextInt(5)) {
      case 0, 1 -> new Call("write", key, value, List.of(() -> write(key, value)));
      case 2 -> {
        Object expected = store.getOrDefault(key, Operation.NIL);
        yield new Call(
            "cas", key, List.of(expected, value), List.of(() -> replace(key, expected, value)));
      }
      default -> new Call("read", key, Operation.NIL, List.of(() -> read(key)));
    };
  }

  private Object read(Object key) {
    return (goesWrong(Defect.STALE) ? copies : store).getOrDefault(key, Operation.NIL);
  }

  private Object replace(Object key, Object expected, Object value) {
    boolean found = store.getOrDefault(key, Operation.NIL).equals(expected);
    if (found) {
      Object unused = write(key, value);
    }
    return found;
  }

  private Object write(Object key, Object value) {
    if (goesWrong(Defect.LOSE)) {
      return Operation.NIL;
    }
    if (!deferred.containsKey(key) && goesWrong(Defect.REORDER)) {
      deferred.put(key, value);
      return Operation.NIL;
    }
    copies.put(key, store.getOrDefault(key, Operation.NIL));
    store.put(key, value);
    Object late = deferred.remove(key);
    if (late != null) {
      store.put(key, late);
    } else if (goesWrong(Defect.TWICE)) {
      deferred.put(key, value);
    }
    return Operation.NIL;
  }

  /** Additions to counters, which return the new value. */
  public static List<Operation> counters(
      long seed, int operations, int keys, Defect defect, double probability) {
    SimulatedGrid grid = new SimulatedGrid(seed, defect, probability);
    return grid.run(operations, 0.005, index -> grid.counter(index, keys));
  }

  private Call counter(int index, int keys) {
    Object key = (long) (index / (LIFE * keys) * keys + random.nextInt(keys));
    return random.nextInt(3) == 0
        ? new Call("read", key, Operation.NIL, List.of(() -> store.getOrDefault(key, 0L)))
        : new Call("add", key, 1L, List.of(() -> add(key)));
  }

  private Object add(Object key) {
    long before = (long) store.getOrDefault(key, 0L);
    long answer = before + 1;
    store.put(key, answer + (goesWrong(Defect.TWICE) ? 1 : 0) - (goesWrong(Defect.LOSE) ? 1 : 0));
    return answer;
  }

  /** Transactions that append to lists and read them. */
  public static List<Operation> transactions(
      long seed, int operations, Defect defect, double probability) {
    SimulatedGrid grid = new SimulatedGrid(seed, defect, probability);
    return grid.run(operations, 0.005, grid::transaction);
  }

  private Call transaction(int index) {
    List<Object> calls = new ArrayList<>();
    int first = index / LIFE * 3;
    for (int i = 0; i < 3; i++) {
      Object key = (long) (first + random.nextInt(3));
      calls.add(
          random.nextBoolean()
              ? List.of("r", key, Operation.NIL)
              : List.of("append", key, index * 3L + i));
    }
    List<Object> results = new ArrayList<>();
    boolean split = goesWrong(Defect.SPLIT);
    List<Effect> effects = new ArrayList<>();
    if (split) {
      calls.forEach(call -> effects.add(() -> access(List.of(call), results)));
    } else {
      effects.add(() -> access(calls, results));
    }
    return new Call("txn", Operation.NIL, List.copyOf(calls), effects);
  }

  private Object access(List<Object> calls, List<Object> results) {
    for (Object each : calls) {
      List<?> call = (List<?>) each;
      Object key = call.get(1);
      List<?> before = (List<?>) store.getOrDefault(key, List.of());
      if (call.get(2) == Operation.NIL) {
        results.add(List.of(call.get(0), key, before));
      } else {
        results.add(call);
        List<Object> after = new ArrayList<>(before);
        after.add(call.get(2));
        if (!goesWrong(Defect.LOSE)) {
          store.put(key, List.copyOf(after));
        }
      }
    }
    return List.copyOf(results);
  }
}
