package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosClient.NotCommittedException;
import io.pyrometer.chaos.history.HistoryFile;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.chaos.history.Transaction.Kind;
import io.pyrometer.load.FailureCauses;
import io.pyrometer.load.LatencyTimer;
import io.pyrometer.load.NanoClock;
import io.pyrometer.load.Sampler;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The calls of a trial: by several processes, with keys and values that they share. */
final class Work {
  /** For reading all keys back, also where a call has hung all the time of the end. */
  private static final long READ_BACK_MILLIS = 5_000;

  private static final int MAX_ACCESSES = 3;
  private static final long BETWEEN_ATTEMPTS_NANOS = 50_000_000;

  private final TrialSpec trial;
  private final Settings settings;
  private final boolean transactions;
  private final boolean counters;
  private final int callers;
  private final int liveKeys;
  private final HistoryFile history;
  private final AtomicLong drawn = new AtomicLong();

  /** Each value is written once, so that a read tells which write it has seen. */
  private final AtomicLong values = new AtomicLong();

  private final AtomicLong finished = new AtomicLong();
  private final Map<String, LatencyTimer> timers = new ConcurrentHashMap<>();
  private final FailureCauses causes = new FailureCauses();
  private final List<Thread> threads = new ArrayList<>();
  private Optional<Sampler> sampler = Optional.empty();
  private volatile boolean closed;
  private volatile long measuredFrom = Long.MAX_VALUE;

  Work(TrialSpec trial, boolean transactions, HistoryFile history) {
    this.trial = trial;
    this.settings = trial.settings();
    this.transactions = transactions;
    this.counters = trial.path().equals(ChaosSettings.COUNTERS);
    this.callers = settings.get(ChaosSettings.CALLERS);
    this.liveKeys = settings.get(ChaosSettings.KEYS);
    this.history = history;
  }

  void begin(ChaosSession session, Consumer<Answer.Sample> samples) {
    for (int i = 0; i < callers; i++) {
      Thread thread = Daemon.of("caller-" + i, new Caller(i, session.client(i)));
      threads.add(thread);
      thread.start();
    }
    Sampler sampling = Sampler.ofRecords(finished::get, samples, () -> {});
    sampler = Optional.of(sampling);
    sampling.begin();
  }

  void measure() {
    measuredFrom = System.nanoTime();
  }

  /** One of the live keys, which are replaced together. */
  private long liveKey(SplittableRandom random) {
    return drawn.getAndIncrement() / callsOfKeys() * liveKeys + random.nextInt(liveKeys);
  }

  private long callsOfKeys() {
    return (long) settings.get(ChaosSettings.KEY_OPERATIONS) * liveKeys;
  }

  private void failed(IOException full) {
    causes.add(full);
    closed = true;
  }

  private void ended(String function, Outcome outcome, long nanos) {
    if (outcome != Outcome.UNKNOWN) {
      finished.incrementAndGet();
      timers.computeIfAbsent(function, any -> new LatencyTimer()).record(nanos);
    }
  }

  private long calledKeys() {
    long last = drawn.get() - 1;
    return last < 0 ? 0 : (last / callsOfKeys() + 1) * liveKeys;
  }

  /**
   * Ends all callers, and reads all keys back. A call that does not end in time counts as one
   * without an answer.
   */
  Answer.Finished finish(ChaosSession session) throws InterruptedException, IOException {
    double seconds = Math.max(0, System.nanoTime() - measuredFrom) / 1e9;
    closed = true;
    sampler.ifPresent(Sampler::stop);
    long deadline = System.nanoTime() + (long) (1e9 * settings.get(CoreSettings.DRAIN_TIMEOUT));
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    }
    long answered = finished.get();
    Map<String, String> latencies = new TreeMap<>();
    timers.forEach((function, timer) -> latencies.put(function, timer.encoded()));
    Caller last = new Caller(callers, session.client(callers));
    Thread reading = Daemon.of("read-back", () -> last.readBack(calledKeys()));
    reading.start();
    reading.join(
        Math.max(READ_BACK_MILLIS, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    history.close();
    return new Answer.Finished(
        seconds,
        answered,
        answered,
        0,
        0,
        List.copyOf(causes.sentences()),
        List.of(new Answer.Interval(0, seconds, latencies)),
        0,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        0);
  }

  void stop() {
    closed = true;
    threads.forEach(Thread::interrupt);
    sampler.ifPresent(Sampler::stop);
  }

  /** Call of a function, and how to execute it. */
  private record Call(String function, Object key, Object argument, Supplier<Object> execution) {}

  /**
   * One process of a history: calls the grid at a steady pace, one call at a time, and records each
   * call. A call without an answer ends the process, since it may still take effect; the thread
   * goes on as another one.
   */
  private final class Caller implements Runnable {
    private final ChaosClient client;
    private final SplittableRandom random;
    private final long intervalNanos;

    /** The value that this thread has seen last, by live key. */
    private final Map<Long, Object> seen = new HashMap<>();

    private int process;

    Caller(int index, ChaosClient client) {
      this.process = index;
      this.client = client;
      this.random = new SplittableRandom(trial.seed() + index);
      this.intervalNanos = (long) (1e9 * callers / settings.get(ChaosSettings.OPERATIONS_RATE));
    }

    @Override
    public void run() {
      long due = System.nanoTime() + random.nextLong(intervalNanos);
      while (!closed) {
        long left = due - System.nanoTime();
        if (left > 0) {
          NanoClock.SYSTEM.park(left);
          continue;
        }
        try {
          Outcome unused = execute(transactions ? transaction() : single(liveKey(random)));
        } catch (IOException full) {
          failed(full);
        }
        // A call that was held up is not made up for.
        due = Math.max(due, System.nanoTime() - intervalNanos) + intervalNanos;
      }
      client.close();
    }

    /**
     * Reads all keys that were called once, so that no write remains unseen. What is not answered
     * is called again.
     *
     * @param keys how many
     */
    void readBack(long keys) {
      try {
        for (long key = 0; key < keys; ) {
          long[] some = LongStream.range(key, Math.min(keys, key + MAX_ACCESSES)).toArray();
          Outcome outcome = execute(transactions ? transaction(some, access -> true) : readOf(key));
          if (outcome == Outcome.OK) {
            key += transactions ? some.length : 1;
          } else {
            NanoClock.SYSTEM.park(BETWEEN_ATTEMPTS_NANOS);
          }
        }
      } catch (IOException ended) {
        failed(ended);
      }
      client.close();
    }

    private Call readOf(long key) {
      return new Call("read", key, Operation.NIL, () -> see(key, read(key)));
    }

    private Outcome execute(Call call) throws IOException {
      history.invoked(process, call.function(), call.key(), call.argument());
      long begin = System.nanoTime();
      Outcome outcome = Outcome.UNKNOWN;
      Object result = Operation.NIL;
      try {
        result = call.execution().get();
        outcome = Outcome.OK;
      } catch (NotCommittedException aborted) {
        outcome = Outcome.FAILED;
      } catch (RuntimeException noAnswer) {
        causes.add(noAnswer);
      }
      ended(call.function(), outcome, System.nanoTime() - begin);
      history.completed(process, outcome, call.function(), call.key(), result);
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
      if (counters) {
        return new Call(
            "add",
            key,
            1L,
            () -> {
              client.increment(key);
              return Operation.NIL;
            });
      }
      long value = values.incrementAndGet();
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
          : counters ? (Object) 0L : Operation.NIL;
    }

    private Object see(long key, Object value) {
      if (seen.size() > liveKeys) {
        seen.clear();
      }
      seen.put(key, value);
      return value;
    }

    /** Some of the live keys in ascending order, so that locks are taken in one order. */
    private Call transaction() {
      long first = liveKey(random) / liveKeys * liveKeys;
      long[] keys =
          random
              .longs(first, first + liveKeys)
              .distinct()
              .limit(Math.min(MAX_ACCESSES, liveKeys))
              .sorted()
              .toArray();
      return transaction(keys, access -> random.nextBoolean());
    }

    private Call transaction(long[] keys, IntPredicate isRead) {
      long[] appended = new long[keys.length];
      List<Object> accesses = new ArrayList<>();
      for (int i = 0; i < keys.length; i++) {
        boolean reads = isRead.test(i);
        appended[i] = reads ? ChaosClient.READ : values.incrementAndGet();
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
}
