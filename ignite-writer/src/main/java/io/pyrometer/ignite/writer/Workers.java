package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.IgniteInterruptedException;
import org.apache.ignite.thread.IgniteThread;

/**
 * The threads of one writer: workers, which may block in a call to Ignite or in a caller's stage; a
 * clock, which never does; and one for the failure listener. A worker is started when no other is
 * idle, up to a limit, and ends when it has been idle for some seconds.
 */
final class Workers {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final int MAX_WORKERS = 256;
  private static final int IDLE_SECONDS = 5;
  private static final long BUSY_NANOS = 1_000_000;

  private final ThreadPoolExecutor pool;
  private final ThreadPoolExecutor listener;
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
    pool = pool(0, MAX_WORKERS, new SynchronousQueue<>(), "ignite-writer-worker");
    listener = pool(1, 1, new LinkedBlockingQueue<>(), "ignite-writer-listener");
    clock =
        new ScheduledThreadPoolExecutor(
            1, threads("ignite-writer-clock"), new ThreadPoolExecutor.DiscardPolicy());
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private ThreadPoolExecutor pool(
      int threads, int most, BlockingQueue<Runnable> queue, String name) {
    return new ThreadPoolExecutor(
        threads, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, threads(name), this::whenRefused);
  }

  /** Of a closed pool, or one all of whose threads are busy. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void whenRefused(Runnable task, ThreadPoolExecutor pool) {
    if (pool.isShutdown()) {
      task.run();
    } else {
      after(BUSY_NANOS, () -> pool.execute(task));
    }
  }

  private static ThreadFactory threads(String name) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return task -> new WriterThread(task, name, loader);
  }

  /** Runs a task on a worker; when all are busy, on the first that becomes free. */
  void execute(Runnable task) {
    pool.execute(() -> run(task));
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // a worker goes on
      LOG.log(Logger.Level.WARNING, "a task of the writer, or its failure listener, failed", e);
    }
  }

  /** Runs a task after the earlier ones on the thread of the failure listener. */
  void listen(Runnable task) {
    listener.execute(() -> run(task));
  }

  /** Runs a task that does not block after a time, unless the writer is closed by then. */
  Future<?> after(long nanos, Runnable task) {
    return clock.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
  }

  /** Runs a task that does not block again and again. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void every(long nanos, Runnable task) {
    clock.scheduleWithFixedDelay(() -> run(task), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Whether the calling thread may wait, and is none of a writer or of Ignite: others need it. */
  static boolean mayWait() {
    return !(Thread.currentThread() instanceof WriterThread
        || Thread.currentThread() instanceof IgniteThread);
  }

  /** Refuses to wait on a thread that must not. */
  static void requireMayWait(String what) {
    if (!mayWait()) {
      String name =
          "the thread " + Thread.currentThread().getName() + " of Ignite or of the writer";
      throw new IllegalStateException(
          name + " cannot " + what + "; use the Async methods of futures, or another thread");
    }
  }

  /** For a thread that was interrupted while it waited, and stays so. */
  static IgniteInterruptedException interrupted(String message) {
    Thread.currentThread().interrupt();
    return new IgniteInterruptedException(message);
  }

  /** Lets running tasks end. */
  void close() {
    clock.shutdown();
    listener.shutdown();
    pool.shutdown();
  }
}
