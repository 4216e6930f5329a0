package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The writer's threads: a few that marshal and send batches, and two that keep time, so that asking
 * for the topology, which may take long, delays nothing else.
 */
final class Senders implements Executor, AutoCloseable {
  private final ExecutorService pool;
  private final ScheduledThreadPoolExecutor clock;

  Senders(int threads) {
    pool = Executors.newFixedThreadPool(threads, daemons("ignite-writer-sender"));
    clock = new ScheduledThreadPoolExecutor(2, daemons("ignite-writer-clock"));
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new SenderThread(this, task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void execute(Runnable task) {
    if (!pool.isShutdown()) {
      pool.execute(task);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  void after(long nanos, Runnable task) {
    if (!clock.isShutdown()) {
      clock.schedule(() -> execute(task), nanos, TimeUnit.NANOSECONDS);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  void every(Duration period, Runnable task) {
    clock.scheduleWithFixedDelay(task, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether the calling thread is one of these, which must never wait for themselves. */
  boolean isCaller() {
    return Thread.currentThread() instanceof SenderThread thread && thread.owner == this;
  }

  @Override
  public void close() {
    clock.shutdown();
    pool.shutdown();
  }

  private static final class SenderThread extends Thread {
    private final Senders owner;

    SenderThread(Senders owner, Runnable task, String name) {
      super(task, name);
      this.owner = owner;
    }
  }
}
