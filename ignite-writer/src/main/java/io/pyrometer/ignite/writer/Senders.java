package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ignite.thread.IgniteThread;
import org.jspecify.annotations.Nullable;

/**
 * The writer's threads: a few that marshal, send, and complete futures, and two that keep time, so
 * that asking for the topology, which may take long, delays nothing else.
 *
 * <p>A sender that does not come back (from a call to Ignite that hangs, from a caller's stage that
 * waits) is named in the log after the stall timeout, and another thread takes its place until it
 * comes back.
 */
final class Senders implements Executor, AutoCloseable {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  /** Senders that may be missing before no more are started in their place. */
  private static final int MOST_REPLACED = 64;

  private final int threads;
  private final long stallNanos;
  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor clock;
  private final List<SenderThread> all = new CopyOnWriteArrayList<>();
  private final ClassLoader contextLoader;

  /** Threads get the context class loader of the thread that opens the writer. */
  Senders(int threads, Duration stallTimeout) {
    this.threads = threads;
    this.stallNanos = Nanos.of(stallTimeout);
    this.contextLoader = Thread.currentThread().getContextClassLoader();
    pool =
        new ThreadPoolExecutor(
            threads,
            threads + MOST_REPLACED,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            daemons("ignite-writer-sender")) {
          @Override
          protected void beforeExecute(Thread thread, Runnable task) {
            ((SenderThread) thread).busySince = System.nanoTime();
          }

          @Override
          protected void afterExecute(Runnable task, @Nullable Throwable error) {
            ((SenderThread) Thread.currentThread()).busySince = 0;
          }
        };
    clock = new ScheduledThreadPoolExecutor(2, daemons("ignite-writer-clock"));
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    pool.prestartAllCoreThreads();
    clock.prestartAllCoreThreads();
    every(Duration.ofNanos(Math.min(stallNanos / 4 + 1, 1_000_000_000L)), this::watch);
  }

  private ThreadFactory daemons(String name) {
    return task -> {
      SenderThread thread = new SenderThread(all, task, name);
      thread.setDaemon(true);
      thread.setContextClassLoader(contextLoader);
      all.add(thread);
      return thread;
    };
  }

  @Override
  public void execute(Runnable task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException closed) {
      LOG.log(Logger.Level.DEBUG, "the writer is closed; what came late is dropped", closed);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  void after(long nanos, Runnable task) {
    try {
      clock.schedule(() -> execute(task), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.log(Logger.Level.DEBUG, "the writer is closed; what came late is dropped", closed);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  void every(Duration period, Runnable task) {
    clock.scheduleWithFixedDelay(
        () -> {
          try {
            task.run();
          } catch (Throwable e) { // or the clock would never run it again
            LOG.log(Logger.Level.WARNING, "a periodic task of the writer failed", e);
          }
        },
        period.toNanos(),
        period.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  /** Runs a step of the calling sender; what to do should it not come back in time. */
  static <T> T watched(Supplier<T> step, Runnable whenStalled) {
    if (Thread.currentThread() instanceof SenderThread sender) {
      sender.whenStalled = whenStalled;
      try {
        return step.get();
      } finally {
        sender.whenStalled = null;
      }
    }
    return step.get();
  }

  /** Replaces senders that do not come back, and sends replacements home when they do. */
  private void watch() {
    long now = System.nanoTime();
    int missing = 0;
    for (SenderThread sender : all) {
      long since = sender.busySince;
      boolean stalled = since != 0 && now - since > stallNanos;
      missing += stalled ? 1 : 0;
      if (stalled && sender.reported != since) {
        sender.reported = since;
        report(sender, now - since);
      }
    }
    int wanted = threads + Math.min(missing, MOST_REPLACED);
    if (pool.getCorePoolSize() != wanted && !pool.isShutdown()) {
      pool.setCorePoolSize(wanted);
    }
  }

  private void report(SenderThread sender, long nanos) {
    StringBuilder stack = new StringBuilder();
    for (StackTraceElement frame : sender.getStackTrace()) {
      stack.append("\n\tat ").append(frame);
    }
    @Nullable Runnable whenStalled = sender.whenStalled;
    LOG.log(
        Logger.Level.WARNING,
        "a sender of the writer has been stuck for {0} ms {1}; another thread takes its place:{2}",
        nanos / 1_000_000,
        whenStalled == null ? "in a stage of a caller's" : "in a call to Ignite",
        stack);
    if (whenStalled != null) {
      whenStalled.run();
    }
  }

  /** Refuses to wait on a thread that others need: a writer's own, or one of Ignite's. */
  static void refuseOwnThreads(String what) {
    if (Thread.currentThread() instanceof SenderThread) {
      throw new IllegalStateException(
          "a writer's own thread cannot " + what + "; use the futures' Async methods");
    }
    if (Thread.currentThread() instanceof IgniteThread) {
      throw new IllegalStateException(
          "a thread of Ignite's ("
              + Thread.currentThread().getName()
              + ") cannot "
              + what
              + ", the cluster may need it; use tryWrite, the Async methods, or a thread of your"
              + " own");
    }
  }

  @Override
  public void close() {
    clock.shutdown();
    pool.shutdown();
  }

  private static final class SenderThread extends Thread {
    private final List<SenderThread> all;
    private volatile long busySince;
    private volatile @Nullable Runnable whenStalled;
    private long reported;

    SenderThread(List<SenderThread> all, Runnable task, String name) {
      super(task, name);
      this.all = all;
    }

    @Override
    public void run() {
      try {
        super.run();
      } finally {
        all.remove(this);
      }
    }
  }
}
