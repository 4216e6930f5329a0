package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.thread.IgniteThread;

/**
 * The threads of one writer: workers, which may block in a call to Ignite or in a caller's stage; a
 * clock, which never does; and one for the failure listener. A worker is started when no other is
 * idle, up to a limit, and ends when it has been idle for some seconds.
 */
final class Workers implements Executor, AutoCloseable {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final int MAX_WORKERS = 256;
  private static final int IDLE_SECONDS = 5;
  private static final long BUSY_NANOS = 1_000_000;

  private final ThreadPoolExecutor pool;
  private final ExecutorService listener;
  private final ScheduledThreadPoolExecutor clock;

  private static final class WriterThread extends Thread {
    WriterThread(Runnable task, String name, ClassLoader loader) {
      super(task, name);
      setDaemon(true);
      setContextClassLoader(loader);
    }
  }

  /** Threads have the context class loader of the thread that opens the writer. */
  Workers() {
    ThreadFactory workers = threads("ignite-writer-worker");
    pool =
        new ThreadPoolExecutor(
            0, MAX_WORKERS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), workers);
    listener = Executors.newSingleThreadExecutor(threads("ignite-writer-listener"));
    clock = new ScheduledThreadPoolExecutor(1, threads("ignite-writer-clock"));
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ThreadFactory threads(String name) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return task -> new WriterThread(task, name, loader);
  }

  /** Runs a task on a worker; when all are busy, on the first that becomes free. */
  @Override
  public void execute(Runnable task) {
    try {
      pool.execute(() -> run(task));
    } catch (RejectedExecutionException busyOrClosed) {
      if (pool.isShutdown()) {
        run(task);
      } else {
        after(BUSY_NANOS, () -> execute(task));
      }
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // a worker goes on
      LOG.log(Logger.Level.WARNING, "a task of the writer failed", e);
    }
  }

  /** Runs a task after the earlier ones on the thread of the failure listener. */
  void listen(Runnable task) {
    try {
      listener.execute(() -> run(task));
    } catch (RejectedExecutionException closed) {
      run(task);
    }
  }

  /** Runs a task that does not block after a time. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void after(long nanos, Runnable task) {
    try {
      clock.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.log(Logger.Level.DEBUG, "the writer is closed; a delayed task is dropped", closed);
    }
  }

  /** Runs a task that does not block again and again. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void every(long nanos, Runnable task) {
    clock.scheduleWithFixedDelay(() -> run(task), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Whether the calling thread may wait: not if it is one of a writer or of Ignite, which others
   * need.
   */
  static boolean mayWait() {
    return !(Thread.currentThread() instanceof WriterThread
        || Thread.currentThread() instanceof IgniteThread);
  }

  /** Refuses to wait on a thread that must not. */
  static void requireMayWait(String what) {
    if (!mayWait()) {
      throw new IllegalStateException(
          "the thread "
              + Thread.currentThread().getName()
              + " of Ignite or of the writer cannot "
              + what
              + "; use the Async methods of futures, or another thread");
    }
  }

  /** Lets running tasks end. */
  @Override
  public void close() {
    clock.shutdown();
    listener.shutdown();
    pool.shutdown();
  }
}
