package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * The threads of one writer: workers, which may block in a call to Ignite; others for callers'
 * stages, which may block for ever; a clock, which never does; and one for the failure listener. A
 * thread is started when no other is idle, up to a limit, and ends when it has been idle for some
 * seconds; the listener's is always there, for what finds none. Past the limit, stages get one more
 * thread in each tick of the clock.
 */
class Workers {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final int MAX_WORKERS = 256;
  private static final long LATE_STACK = 16L << 20;
  private static final int IDLE_SECONDS = 5;
  private static final long BUSY_NANOS = 1_000_000;

  private final ThreadPoolExecutor pool;
  private final ThreadPoolExecutor stages;
  private final ThreadFactory moreStages = threads("ignite-writer-stages", LATE_STACK);
  private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();
  private final ThreadPoolExecutor listener;
  private final ScheduledThreadPoolExecutor clock;

  private static final class WriterThread extends Thread {
    WriterThread(Runnable task, String name, ClassLoader loader, long stackBytes) {
      super(null, task, name, stackBytes);
      setDaemon(true);
      setContextClassLoader(loader);
    }
  }

  /** Threads have the context class loader of the thread that opens the writer. */
  Workers(int stageThreads) {
    pool = pool(0, MAX_WORKERS, new SynchronousQueue<>(), "ignite-writer-worker");
    stages = pool(0, stageThreads, new SynchronousQueue<>(), "ignite-writer-stages");
    listener = pool(1, 1, new LinkedBlockingQueue<>(), "ignite-writer-listener");
    listener.prestartCoreThread(); // it hears of failures also when no thread can be started
    clock =
        new ScheduledThreadPoolExecutor(
            1, threads("ignite-writer-clock", 0), new ThreadPoolExecutor.DiscardPolicy());
    clock.setRemoveOnCancelPolicy(true);
    clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private ThreadPoolExecutor pool(
      int threads, int most, BlockingQueue<Runnable> queue, String name) {
    return new ThreadPoolExecutor(
        threads, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, threads(name, 0), this::whenRefused);
  }

  /** Fallback of a closed pool, or one all of whose threads are busy or that cannot start one. */
  private void whenRefused(Runnable task, ThreadPoolExecutor pool) {
    if (pool.isShutdown()) {
      task.run();
    } else if (pool == stages) {
      late.add(task);
    } else {
      Future<?> unused = after(BUSY_NANOS, () -> submit(pool, task));
    }
  }

  private ThreadFactory threads(String name, long stackBytes) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return task -> newThread(task, name, loader, stackBytes);
  }

  /** Creates a thread; tests have some that cannot be started. */
  Thread newThread(Runnable task, String name, ClassLoader loader, long stackBytes) {
    return new WriterThread(task, name, loader, stackBytes);
  }

  /** Runs a task on a worker; when all are busy, on the first that becomes free. */
  void execute(Runnable task) {
    submit(pool, () -> run(task));
  }

  private void submit(ThreadPoolExecutor to, Runnable task) {
    try {
      to.execute(task);
    } catch (OutOfMemoryError noThread) { // the task must not be lost
      whenRefused(task, to);
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // a worker goes on
      LOG.log(Logger.Level.WARNING, "a task of the writer, or its failure listener, failed", e);
    }
  }

  /** Runs a task that may block for ever in code of the application. */
  void executeStages(Runnable task) {
    submit(stages, () -> run(task));
  }

  /**
   * Runs a task of that kind on another thread than those that may be blocked, in the next tick.
   */
  void executeLate(Runnable task) {
    late.add(task);
  }

  /**
   * Starts a thread for what is late; what it does not get to, that of the next tick does. False if
   * none can be started.
   */
  boolean tick() {
    return late.isEmpty() || start(this::runLate);
  }

  private void runLate() {
    for (Runnable task = late.poll(); task != null; task = late.poll()) {
      run(task);
    }
  }

  /** Starts a thread with a large stack for a task, which is late if none can be started. */
  void startStages(Runnable task) {
    if (!start(task)) {
      late.add(task);
    }
  }

  private boolean start(Runnable task) {
    try {
      moreStages.newThread(() -> run(task)).start();
      return true;
    } catch (OutOfMemoryError noThread) {
      return false;
    }
  }

  /** Runs a task after the earlier ones on the thread of the failure listener. */
  void listen(Runnable task) {
    submit(listener, () -> run(task));
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

  /**
   * Returns whether the calling thread may wait, and is none of a writer or of Ignite: others need
   * it.
   */
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
    stages.shutdown();
    pool.shutdown();
    if (!tick()) {
      listen(this::runLate); // its thread is there
    }
    listener.shutdown();
  }
}
