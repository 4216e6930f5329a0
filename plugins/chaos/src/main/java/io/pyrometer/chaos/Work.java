package io.pyrometer.chaos;

import io.pyrometer.chaos.history.HistoryFile;
import io.pyrometer.chaos.history.Operation.Outcome;
import io.pyrometer.load.FailureCauses;
import io.pyrometer.load.LatencyTimer;
import io.pyrometer.load.NanoClock;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What all callers of a trial share: their settings, keys and values, and what they did. */
final class Work {
  private static final long TENTH = 100_000_000;

  /** For reading all keys back, also where a call has hung all the time of the end. */
  private static final long READ_BACK_MILLIS = 5_000;

  private final TrialSpec trial;
  private final Settings settings;
  private final boolean transactions;
  private final HistoryFile history;
  private final AtomicLong drawn = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong finished = new AtomicLong();
  private final Map<String, LatencyTimer> timers = new ConcurrentHashMap<>();
  private final FailureCauses causes = new FailureCauses();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;
  private volatile long measuredFrom = Long.MAX_VALUE;

  Work(TrialSpec trial, boolean transactions, HistoryFile history) {
    this.trial = trial;
    this.settings = trial.settings();
    this.transactions = transactions;
    this.history = history;
  }

  void begin(ChaosSession session, Consumer<Answer.Sample> samples) {
    int count = settings.get(ChaosSettings.CALLERS);
    for (int i = 0; i < count; i++) {
      start(new Caller(this, i, count, session.client(i)), "caller-" + i);
    }
    long start = System.nanoTime();
    start(() -> sample(start, samples), "sampler");
  }

  private void start(Runnable task, String name) {
    Thread thread = Daemon.of(name, task);
    threads.add(thread);
    thread.start();
  }

  private void sample(long start, Consumer<Answer.Sample> samples) {
    long told = 0;
    for (int tenth = 0; !closed; tenth++) {
      for (long left = 1; left > 0 && !closed; ) {
        left = start + (tenth + 1) * TENTH - System.nanoTime();
        NanoClock.SYSTEM.park(Math.max(0, left));
      }
      long now = finished.get();
      samples.accept(new Answer.Sample(tenth, now - told));
      told = now;
    }
  }

  void measure() {
    measuredFrom = System.nanoTime();
  }

  long seed() {
    return trial.seed();
  }

  double operationsPerSecond() {
    return settings.get(ChaosSettings.OPERATIONS_RATE);
  }

  int liveKeys() {
    return settings.get(ChaosSettings.KEYS);
  }

  boolean counters() {
    return trial.path().equals(ChaosSettings.COUNTERS);
  }

  boolean transactions() {
    return transactions;
  }

  HistoryFile history() {
    return history;
  }

  boolean closed() {
    return closed;
  }

  /** One of the live keys, which are replaced together. */
  long key(SplittableRandom random) {
    long life = (long) settings.get(ChaosSettings.KEY_OPERATIONS) * liveKeys();
    return drawn.getAndIncrement() / life * liveKeys() + random.nextInt(liveKeys());
  }

  /** Each value is written once, so that a read tells which write it has seen. */
  long newValue() {
    return values.incrementAndGet();
  }

  void noAnswer(Throwable cause) {
    causes.add(cause);
  }

  void failed(IOException full) {
    causes.add(full);
    closed = true;
  }

  void ended(String function, Outcome outcome, long nanos) {
    if (outcome != Outcome.UNKNOWN) {
      finished.incrementAndGet();
      timers.computeIfAbsent(function, any -> new LatencyTimer()).record(nanos);
    }
  }

  private long calledKeys() {
    long life = (long) settings.get(ChaosSettings.KEY_OPERATIONS) * liveKeys();
    long last = drawn.get() - 1;
    return last < 0 ? 0 : (last / life + 1) * liveKeys();
  }

  /**
   * Ends all callers, and reads all keys back. A call that does not end in time counts as one
   * without an answer.
   */
  Answer.Finished finish(ChaosSession session) throws InterruptedException, IOException {
    double seconds = Math.max(0, System.nanoTime() - measuredFrom) / 1e9;
    closed = true;
    long deadline = System.nanoTime() + (long) (1e9 * settings.get(CoreSettings.DRAIN_TIMEOUT));
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    }
    long answered = finished.get();
    Map<String, String> latencies = new TreeMap<>();
    timers.forEach((function, timer) -> latencies.put(function, timer.encoded()));
    int callers = settings.get(ChaosSettings.CALLERS);
    Caller last = new Caller(this, callers, callers, session.client(callers));
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
        Optional.empty());
  }

  void stop() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
