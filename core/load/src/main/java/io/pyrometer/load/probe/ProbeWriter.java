package io.pyrometer.load.probe;

import io.pyrometer.load.AccessPath;
import io.pyrometer.protocol.message.Messages;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** One writing thread of a probe. */
final class ProbeWriter implements Runnable {
  private static final int LEAST_CALLS_A_ROUND = 8;
  private static final long NAP_AFTER_FAILURE_MILLIS = 10;

  private final AccessPath path;
  private final WriteRounds rounds;
  private final WriteRounds.Keys keys;
  private final Versions versions;
  private final WrittenVersions written;
  private final boolean overwrites;
  private final long roundNanos;
  private final Duration drainTimeout;
  private final Semaphore window;
  private final int operation;
  private final IntPredicate enough;
  private final int extension;
  private volatile boolean stopping;
  private final AtomicInteger roundAsked = new AtomicInteger();
  private volatile boolean hung;

  /**
   * @param overwrites whether to write a key a second time with another version
   * @param roundNanos the time of a round
   * @param enough whether enough was written by the end of the round of this index
   * @param extension how many times as long a path may take for that
   * @param drainTimeout how long to wait for calls in flight
   */
  ProbeWriter(
      AccessPath path,
      WriteRounds rounds,
      WriteRounds.Keys keys,
      Versions versions,
      WrittenVersions written,
      boolean overwrites,
      long roundNanos,
      IntPredicate enough,
      int extension,
      Duration drainTimeout) {
    this.path = path;
    this.rounds = rounds;
    this.keys = keys;
    this.versions = versions;
    this.written = written;
    this.overwrites = overwrites;
    this.roundNanos = roundNanos;
    this.enough = enough;
    this.extension = extension;
    this.drainTimeout = drainTimeout;
    this.window = new Semaphore(path.window());
    // Of a mix, reads come before writes.
    this.operation = path.operations().size() - 1;
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
        drain();
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
    return !stopping && (since < nanos || (since / extension < nanos && !enough.test(round)));
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
    long[] drawn = new long[path.recordsPerCall()];
    int[] version = new int[drawn.length];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = keys.next();
      version[i] = written.begin(drawn[i], overwrites);
    }
    ProbeCall call = new ProbeCall(drawn, version, versions, written, window, operation);
    try {
      path.call(call);
    } catch (Exception e) {
      call.failed(e);
      Thread.sleep(NAP_AFTER_FAILURE_MILLIS);
    }
  }

  private void drain() throws InterruptedException {
    acquire(path.window());
    window.release(path.window());
  }

  private void acquire(int permits) throws InterruptedException {
    if (!window.tryAcquire(permits, drainTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new InterruptedException(Messages.format("load.in-flight"));
    }
  }

  /** Begins one more round: ends those before it, where they go on still. */
  void nextRound() {
    roundAsked.incrementAndGet();
  }

  void stop() {
    stopping = true;
  }

  /** Returns whether calls did not come to their end. */
  boolean hung() {
    return hung;
  }
}
