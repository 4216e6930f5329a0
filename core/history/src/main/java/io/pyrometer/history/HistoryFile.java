package io.pyrometer.history;

import io.pyrometer.history.Edn.Keyword;
import io.pyrometer.history.Operation.Outcome;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Histories in the form of Jepsen: one map for each invocation and each completion, with {@code
 * :process}, {@code :type} ({@code :invoke}, {@code :ok}, {@code :fail} or {@code :info}), {@code
 * :f}, {@code :value}, {@code :time} in ns and {@code :index}.
 *
 * <p>Written while calls are made, by the clock of {@link System#nanoTime}, an event at a time.
 *
 * <p>A compare-and-set that found another value is a {@code :fail} for Jepsen, which loses that it
 * has read; {@code :error :compare-failed} keeps it.
 */
public final class HistoryFile implements AutoCloseable {
  private static final Keyword PROCESS = new Keyword("process");
  private static final Keyword TYPE = new Keyword("type");
  private static final Keyword FUNCTION = new Keyword("f");
  private static final Keyword VALUE = new Keyword("value");
  private static final Keyword TIME = new Keyword("time");
  private static final Keyword INDEX = new Keyword("index");
  private static final Keyword ERROR = new Keyword("error");

  /** Functions whose answer is in the value of the completion. */
  private static final List<String> READS = List.of("read", "get", "dequeue", "txn");

  private static final Keyword COMPARE_FAILED = new Keyword("compare-failed");

  private final Writer file;
  private final boolean keyed;
  private long index;
  private long lastTime = -1;

  /**
   * Begins a file.
   *
   * @param keyed whether values are pairs of a key and a value, as those of Jepsen's {@code
   *     independent}
   */
  public HistoryFile(Writer file, boolean keyed) {
    this.file = file;
    this.keyed = keyed;
  }

  /** Writes that a process calls, before it does. Safe for threads, as is {@link #completed}. */
  public void invoked(int process, String function, Object key, Object argument)
      throws IOException {
    write(process, "invoke", function, key, argument, false);
  }

  /**
   * Writes the outcome of the process's last call.
   *
   * @param value the result of a read or of a transaction, otherwise the argument
   * @param compareFailed whether a compare-and-set found another value
   */
  public void completed(
      int process,
      Outcome outcome,
      String function,
      Object key,
      Object value,
      boolean compareFailed)
      throws IOException {
    String type =
        switch (outcome) {
          case OK -> compareFailed ? "fail" : "ok";
          case FAILED -> "fail";
          case UNKNOWN -> "info";
        };
    write(process, type, function, key, value, compareFailed);
  }

  private synchronized void write(
      int process, String type, String function, Object key, Object value, boolean compareFailed)
      throws IOException {
    // Two events of one instant would lose their order.
    lastTime = Math.max(lastTime + 1, System.nanoTime());
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put(PROCESS, (long) process);
    map.put(TYPE, new Keyword(type));
    map.put(FUNCTION, new Keyword(function));
    map.put(VALUE, keyed ? List.of(key, value) : value);
    map.put(TIME, lastTime);
    map.put(INDEX, index++);
    if (compareFailed) {
      map.put(ERROR, COMPARE_FAILED);
    }
    file.write(Edn.print(map));
    file.write('\n');
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }

  /**
   * Reads a history. Its times are those of the file, or positions in it where any is missing or
   * they do not ascend.
   *
   * @param keyed as in {@link #HistoryFile}
   * @throws IllegalArgumentException with one sentence if it is none
   */
  public static List<Operation> read(String text, boolean keyed) {
    List<Object> values = Edn.readAll(text);
    if (values.size() == 1 && values.get(0) instanceof List<?> all) {
      values = List.copyOf(all);
    }
    long[] times = times(values);
    Map<Object, Integer> open = new HashMap<>();
    List<Operation> history = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Map<?, ?> map = (Map<?, ?>) values.get(i);
      Object process = map.containsKey(PROCESS) ? map.get(PROCESS) : 0L;
      String type = name(map, TYPE);
      if (type.equals("invoke")) {
        open.put(process, history.size());
        history.add(invocation(map, process, times[i], keyed));
      } else if (open.containsKey(process)) {
        int index = open.remove(process);
        history.set(index, completed(history.get(index), map, type, times[i], keyed));
      } else if (process instanceof Long && map.containsKey(FUNCTION) && !type.equals("info")) {
        // A history of completions alone: nothing was concurrent.
        Operation call = invocation(map, process, times[i], keyed);
        history.add(completed(call, map, type, times[i], keyed));
      }
    }
    // Nemeses have names for numbers; what they do is no operation.
    return history.stream().filter(operation -> operation.process() >= 0).toList();
  }

  private static long[] times(List<Object> values) {
    long[] times = new long[values.size()];
    boolean ascending = true;
    for (int i = 0; i < times.length; i++) {
      if (!(values.get(i) instanceof Map<?, ?> map)) {
        throw new IllegalArgumentException(
            "Entry %d of the history is no map: %s.".formatted(i, Edn.print(values.get(i))));
      }
      times[i] = map.get(TIME) instanceof Long time ? time : -1;
      ascending &= times[i] >= 0 && (i == 0 || times[i] > times[i - 1]);
    }
    for (int i = 0; i < times.length && !ascending; i++) {
      times[i] = i;
    }
    return times;
  }

  private static String name(Map<?, ?> map, Keyword key) {
    if (map.get(key) instanceof Keyword keyword) {
      return keyword.name();
    }
    throw new IllegalArgumentException(
        "An entry of the history has no %s: %s.".formatted(Edn.print(key), Edn.print(map)));
  }

  private static Object part(Map<?, ?> map, boolean keyed, int index) {
    Object value = map.containsKey(VALUE) ? map.get(VALUE) : Edn.NIL;
    if (!keyed) {
      return index == 0 ? Edn.NIL : value;
    }
    if (value instanceof List<?> pair && pair.size() == 2) {
      return pair.get(index);
    }
    throw new IllegalArgumentException(
        "An entry of the history has no pair of a key and a value: %s.".formatted(Edn.print(map)));
  }

  private static Operation invocation(Map<?, ?> map, Object process, long time, boolean keyed) {
    return new Operation(
        process instanceof Long number ? Math.toIntExact(number) : -1,
        map.containsKey(FUNCTION) ? name(map, FUNCTION) : "txn",
        part(map, keyed, 0),
        part(map, keyed, 1),
        Edn.NIL,
        time,
        Operation.NEVER,
        Outcome.UNKNOWN);
  }

  private static Operation completed(
      Operation call, Map<?, ?> map, String type, long time, boolean keyed) {
    boolean compareFailed = COMPARE_FAILED.equals(map.get(ERROR));
    if (type.equals("info")) {
      return call;
    }
    Outcome outcome = type.equals("ok") || compareFailed ? Outcome.OK : Outcome.FAILED;
    boolean reads = READS.contains(call.function());
    Object value = part(map, keyed, 1);
    Object result = Edn.NIL;
    if (outcome == Outcome.OK) {
      result = reads ? value : call.function().equals("cas") ? !compareFailed : Edn.NIL;
    }
    return new Operation(
        call.process(),
        call.function(),
        call.key(),
        reads && !call.function().equals("txn") ? Edn.NIL : call.argument(),
        result,
        call.invoked(),
        time,
        outcome);
  }
}
