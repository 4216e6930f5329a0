package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosClient.NotCommittedException;
import io.pyrometer.chaos.history.MicroOperation.Kind;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.load.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/**
 * One process of a history: calls the grid at a steady pace, one call at a time, and records each
 * call. A call without an answer ends the process, since it may still take effect; the thread goes
 * on as another one.
 */
final class Caller implements Runnable {
  private static final int MAX_ACCESSES = 3;
  private static final long BETWEEN_ATTEMPTS_NANOS = 50_000_000;

  private final Work work;
  private final int callers;
  private final ChaosClient client;
  private final SplittableRandom random;
  private final long intervalNanos;

  /** The value that this thread has seen last, by live key. */
  private final Map<Long, Object> seen = new HashMap<>();

  private int process;

  Caller(Work work, int index, int callers, ChaosClient client) {
    this.work = work;
    this.process = index;
    this.callers = callers;
    this.client = client;
    this.random = new SplittableRandom(work.seed() + index);
    this.intervalNanos = (long) (1e9 * callers / work.operationsPerSecond());
  }

  /** What is called, and how. */
  private record Call(String function, Object key, Object argument, Execution execution) {}

  /** Calls the grid, and returns the result. */
  @FunctionalInterface
  private interface Execution {
    Object run();
  }

  @Override
  public void run() {
    long due = System.nanoTime() + random.nextLong(intervalNanos);
    while (!work.closed()) {
      long left = due - System.nanoTime();
      if (left > 0) {
        NanoClock.SYSTEM.park(left);
        continue;
      }
      try {
        Outcome unused = execute(work.transactions() ? transaction() : single(work.key(random)));
      } catch (IOException full) {
        work.failed(full);
      }
      // A call that was held up is not made up for.
      due = Math.max(due, System.nanoTime() - intervalNanos) + intervalNanos;
    }
    client.close();
  }

  /**
   * Reads all keys that were called once, so that no write remains unseen. What is not answered is
   * called again.
   *
   * @param keys how many
   */
  void readBack(long keys) {
    try {
      for (long key = 0; key < keys; ) {
        long[] some = LongStream.range(key, Math.min(keys, key + MAX_ACCESSES)).toArray();
        Outcome outcome =
            execute(work.transactions() ? transaction(some, access -> true) : readOf(key));
        if (outcome == Outcome.OK) {
          key += work.transactions() ? some.length : 1;
        } else {
          NanoClock.SYSTEM.park(BETWEEN_ATTEMPTS_NANOS);
        }
      }
    } catch (IOException ended) {
      work.failed(ended);
    }
    client.close();
  }

  private Call readOf(long key) {
    return new Call("read", key, Operation.NIL, () -> see(key, read(key)));
  }

  private Outcome execute(Call call) throws IOException {
    work.history().invoked(process, call.function(), call.key(), call.argument());
    long begin = System.nanoTime();
    Outcome outcome = Outcome.UNKNOWN;
    Object result = Operation.NIL;
    try {
      result = call.execution().run();
      outcome = Outcome.OK;
    } catch (NotCommittedException aborted) {
      outcome = Outcome.FAILED;
    } catch (RuntimeException noAnswer) {
      work.noAnswer(noAnswer);
    }
    work.ended(call.function(), outcome, System.nanoTime() - begin);
    work.history().completed(process, outcome, call.function(), call.key(), result);
    if (outcome == Outcome.UNKNOWN) {
      // The last is the process that reads all keys in the end.
      process += callers + 1;
    }
    return outcome;
  }

  private Call single(long key) {
    int die = random.nextInt(10);
    if (die < 4) {
      return readOf(key);
    }
    if (work.counters()) {
      return new Call(
          "add",
          key,
          1L,
          () -> {
            client.increment(key);
            return Operation.NIL;
          });
    }
    long value = work.newValue();
    Object expected = seen.getOrDefault(key, Operation.NIL);
    if (die < 7 || expected == Operation.NIL) {
      return new Call(
          "write",
          key,
          value,
          () -> {
            client.write(key, value);
            Object unused = see(key, value);
            return Operation.NIL;
          });
    }
    return new Call(
        "cas",
        key,
        List.of(expected, value),
        () -> {
          boolean replaced = client.replace(key, (Long) expected, value);
          Object unused = see(key, replaced ? value : Operation.NIL);
          return replaced;
        });
  }

  private Object read(long key) {
    var found = client.read(key);
    return found.isPresent()
        ? (Object) found.getAsLong()
        : work.counters() ? (Object) 0L : Operation.NIL;
  }

  private Object see(long key, Object value) {
    if (seen.size() > work.liveKeys()) {
      seen.clear();
    }
    seen.put(key, value);
    return value;
  }

  /** Some of the live keys in ascending order, so that locks are taken in one order. */
  private Call transaction() {
    long first = work.key(random) / work.liveKeys() * work.liveKeys();
    long[] keys =
        random
            .longs(first, first + work.liveKeys())
            .distinct()
            .limit(Math.min(MAX_ACCESSES, work.liveKeys()))
            .sorted()
            .toArray();
    return transaction(keys, access -> random.nextBoolean());
  }

  private Call transaction(long[] keys, IntPredicate isRead) {
    long[] appended = new long[keys.length];
    List<Object> accesses = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      boolean reads = isRead.test(i);
      appended[i] = reads ? ChaosClient.READ : work.newValue();
      accesses.add(
          List.of(
              (reads ? Kind.READ : Kind.APPEND).word(),
              keys[i],
              reads ? Operation.NIL : (Object) appended[i]));
    }
    return new Call("txn", Operation.NIL, accesses, () -> transact(keys, appended, accesses));
  }

  private Object transact(long[] keys, long[] appended, List<Object> accesses) {
    List<List<Long>> lists = client.transact(keys, appended);
    List<Object> answered = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      answered.add(
          appended[i] == ChaosClient.READ
              ? List.of(Kind.READ.word(), keys[i], lists.get(i))
              : accesses.get(i));
    }
    return answered;
  }
}
