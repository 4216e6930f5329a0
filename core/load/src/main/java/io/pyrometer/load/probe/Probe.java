package io.pyrometer.load.probe;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.DrainTimeout;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One guarantee probe by one agent: writes versions of the keys 0 … {@code records}−1 through the
 * trial's access path, by as many threads as the trial's (at most eight), and then counts the keys
 * that do not hold the last version acknowledged, or a later one.
 */
public final class Probe {
  private static final int MAX_EXTENSION = 8;
  private static final int MOST_THREADS = 8;
  private static final int LEAST_CALLS_A_ROUND = 8;
  private static final long NAP_AFTER_FAILURE_MILLIS = 10;
  private static final int READ_BACK_TRIES = 5;
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
  private static final Duration LONGEST_WRITING = Duration.ofSeconds(30);

  private final ProbeKind kind;
  private final TrialSpec trial;
  private final Versions versions;
  private final WrittenVersions written;
  private final StoredContents stored;
  private final WriteRounds rounds;
  private final boolean rewrites;
  private final long roundNanos;
  private final int extension;
  private final Duration drainTimeout;
  private final List<Writer> writers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentReader reader;
  private volatile boolean mayDrop;
  private volatile boolean stopping;

  /**
   * @param overwrites whether the path says that a write replaces what is there; where it does not,
   *     records that must outlive a node are written once
   * @param seconds how long to write; a path that is too slow for a judgement in this time gets
   *     more
   * @throws IllegalArgumentException if the records are too alike
   */
  public Probe(
      ProbeKind kind,
      TrialSpec trial,
      Records records,
      boolean overwrites,
      double seconds,
      Function<LoadThread, AccessPath> open,
      StoredContents stored) {
    this(kind, trial, records, overwrites, seconds, MAX_EXTENSION, open, stored);
  }

  /**
   * @param extension how many times as long a path that is too slow may take
   */
  Probe(
      ProbeKind kind,
      TrialSpec trial,
      Records records,
      boolean overwrites,
      double seconds,
      int extension,
      Function<LoadThread, AccessPath> open,
      StoredContents stored) {
    this.kind = kind;
    this.trial = trial;
    this.stored = stored;
    this.versions = new Versions(records);
    this.written = new WrittenVersions(trial.settings().get(CoreSettings.RECORDS).intValue());
    this.rounds = WriteRounds.of(kind);
    this.rewrites = overwrites || !kind.endsServer();
    this.roundNanos = (long) (seconds * 1e9 / rounds.rounds());
    this.extension = extension;
    this.drainTimeout = DrainTimeout.of(trial.settings());
    this.reader = new ConcurrentReader(written, versions, stored, () -> mayDrop);
    int count = Math.min(trial.settings().get(CoreSettings.THREADS), MOST_THREADS);
    for (int i = 0; i < count; i++) {
      LoadThread thread = new LoadThread(i, count);
      AccessPath path = open.apply(thread);
      mayDrop = path.mayDrop();
      writers.add(new Writer(path, rounds.new Keys(thread, written.keys(), trial.seed())));
    }
  }

  /** Returns whether so much was tried that a share of the probe is done. */
  private boolean enough(double share) {
    return kind == ProbeKind.READ
        ? reader.counts().checked() >= ProbeCounts.MIN_CHECKED
        : written.tried() >= share * Math.min(ProbeCounts.MIN_CHECKED, written.keys());
  }

  public void begin() {
    writers.forEach(thread -> start(thread, "probe"));
    if (kind == ProbeKind.READ) {
      start(reader, "reader");
    }
  }

  private void start(Runnable what, String name) {
    Thread thread = Daemon.of(name + "-" + threads.size(), what);
    thread.start();
    threads.add(thread);
  }

  /** A node is about to end, or has ended: stalls count from now on, and other keys are written. */
  public void mark() {
    written.mark();
    writers.forEach(writer -> writer.roundAsked.incrementAndGet());
  }

  /**
   * Waits until everything was written (where a node ends, ends the writing), and reads back.
   *
   * @throws IllegalStateException with one sentence if calls do not come to their end
   */
  public ProbeCounts end() throws InterruptedException {
    if (kind.endsServer()) {
      written.end();
      stopping = true;
    }
    await();
    if (kind != ProbeKind.READ) {
      compare();
    }
    return reader.counts();
  }

  private void await() throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST_WRITING.plus(drainTimeout).toNanos();
    for (Thread thread : threads.subList(0, writers.size())) {
      thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    reader.stop();
    if (threads.subList(0, writers.size()).stream().anyMatch(Thread::isAlive)
        || writers.stream().anyMatch(writer -> writer.hung)) {
      abandon();
      throw new IllegalStateException(Messages.format("load.probe-hangs").formatted(trial.path()));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void compare() throws InterruptedException {
    long[] found = found();
    for (int key = 0; key < found.length; key++) {
      int version = written.acknowledged(key);
      if (version > 0) {
        reader.judge(key, version, found[key]);
      }
    }
  }

  /** If a node has just died, a first read may still go to it. */
  private long[] found() throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      long[] found = new long[written.keys()];
      try {
        stored.forEach((key, hash) -> found[(int) key] = hash);
        return found;
      } catch (RuntimeException e) {
        if (!kind.endsServer() || attempt == READ_BACK_TRIES) {
          throw e;
        }
        Thread.sleep(BETWEEN_TRIES.toMillis());
      }
    }
  }

  /** Gives the writers up without waiting for them. */
  public void abandon() {
    stopping = true;
    reader.stop();
    threads.forEach(Thread::interrupt);
  }

  /** One writing thread. */
  private final class Writer implements Runnable {
    private final AccessPath path;
    private final WriteRounds.Keys keys;
    private final Semaphore window;
    private final AtomicInteger roundAsked = new AtomicInteger();
    private volatile boolean hung;

    Writer(AccessPath path, WriteRounds.Keys keys) {
      this.path = path;
      this.keys = keys;
      this.window = new Semaphore(path.window());
    }

    @Override
    public void run() {
      long begin = System.nanoTime();
      int last = rounds.rounds() - 1;
      try {
        for (int round = 0;
            round <= last && mayGoOn(begin, roundNanos * rounds.rounds(), last);
            round++) {
          keys.round(round);
          round(round);
          path.flush();
          acquire(path.window());
          window.release(path.window());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        hung = true;
      } catch (Exception e) {
        written.failed(e);
      } finally {
        path.close();
      }
    }

    private boolean mayGoOn(long begin, long nanos, int round) {
      long since = System.nanoTime() - begin;
      return !stopping
          && (since < nanos
              || (since / extension < nanos && !enough((round + 1.0) / rounds.rounds())));
    }

    private void round(int round) throws InterruptedException {
      long begin = System.nanoTime();
      int calls = 0;
      for (long writes = 0;
          mayGoOn(begin, roundNanos, round)
              && roundAsked.get() <= round
              && (writes < rounds.leastWrites() || calls < LEAST_CALLS_A_ROUND);
          writes += path.recordsPerCall()) {
        acquire(1);
        call();
        calls++;
      }
    }

    private void call() throws InterruptedException {
      VersionsCall call = new VersionsCall(path, keys, window);
      try {
        path.call(call);
      } catch (Exception e) {
        call.failed(e);
        Thread.sleep(NAP_AFTER_FAILURE_MILLIS);
      }
    }

    private void acquire(int permits) throws InterruptedException {
      if (!window.tryAcquire(permits, drainTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new InterruptedException(Messages.format("load.in-flight"));
      }
    }
  }

  /** One call: versions of keys, recorded once they are acknowledged. */
  private final class VersionsCall implements Call {
    private final long[] drawn;
    private final int[] version;
    private final int operation;
    private final Semaphore window;
    private final AtomicBoolean ended = new AtomicBoolean();

    VersionsCall(AccessPath path, WriteRounds.Keys keys, Semaphore window) {
      this.window = window;
      // Of a mix, reads come before writes.
      this.operation = path.operations().size() - 1;
      this.drawn = new long[path.recordsPerCall()];
      this.version = new int[drawn.length];
      for (int i = 0; i < drawn.length; i++) {
        drawn[i] = keys.next();
        version[i] = written.begin(drawn[i], rewrites);
      }
    }

    @Override
    public int size() {
      return drawn.length;
    }

    @Override
    public long key(int i) {
      return drawn[i];
    }

    @Override
    public int record(int i) {
      return versions.record(drawn[i], version[i]);
    }

    @Override
    public int operation() {
      return operation;
    }

    @Override
    public void done() {
      if (ended.compareAndSet(false, true)) {
        written.acknowledge(drawn, version);
        window.release();
      }
    }

    @Override
    public void failed(Throwable cause) {
      if (ended.compareAndSet(false, true)) {
        written.failed(cause);
        window.release();
      }
    }
  }
}
