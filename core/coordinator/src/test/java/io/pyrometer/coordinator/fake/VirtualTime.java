package io.pyrometer.coordinator.fake;

import io.pyrometer.coordinator.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A clock that only moves when somebody sleeps or waits on it, a tenth of a second at a time. */
public final class VirtualTime implements Time {
  private static final long TICK = Duration.ofMillis(100).toNanos();
  private static final Instant EPOCH = Instant.parse("2026-11-22T00:00:00Z");
  private boolean onThreads;

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private long nanos;

  /** Adds what is called after each tenth of a second. */
  public void onTick(Runnable listener) {
    listeners.add(listener);
  }

  public double seconds() {
    return nanos / 1e9;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Instant now() {
    return EPOCH.plusNanos(nanos);
  }

  @Override
  public void sleep(Duration duration) {
    long until = nanos + duration.toNanos();
    while (nanos < until) {
      nanos = Math.min(until, nanos + TICK);
      listeners.forEach(Runnable::run);
    }
  }

  @Override
  public <T> T await(CompletableFuture<T> future, Duration timeout)
      throws ExecutionException, TimeoutException, InterruptedException {
    long until = nanos + timeout.toNanos();
    while (!future.isDone() && nanos < until) {
      sleep(Duration.ofNanos(Math.min(TICK, until - nanos)));
    }
    if (!future.isDone()) {
      throw new TimeoutException();
    }
    return future.get();
  }

  /** From now on what is done beside others really is, on threads of their own. */
  public void besideOnThreads() {
    onThreads = true;
  }

  @Override
  public void beside(Runnable work) {
    if (onThreads) {
      SYSTEM.beside(work);
    } else {
      work.run();
    }
  }
}
