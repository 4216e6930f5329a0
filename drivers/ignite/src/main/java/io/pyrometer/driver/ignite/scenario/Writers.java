package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.api.ServiceContext;
import io.pyrometer.scenario.protocol.Part;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/** The pool of threads that write handlers to the cache after a step is committed. */
final class Writers implements AutoCloseable {
  private final ServiceContext context;
  private final ExecutorService threads;
  private final ServiceContext.Step waiting;
  private final ServiceContext.Step writing;

  Writers(ServiceContext context) {
    this.context = context;
    this.threads =
        Executors.newFixedThreadPool(context.settings().get(IgniteScenarios.WRITER_THREADS));
    this.waiting = context.step("WaitForWriter", Part.QUEUEING);
    this.writing = context.step("WriteHandler", Part.CACHE_WRITE);
  }

  /** Writes on a thread of the pool; the future is done when the grid has acknowledged it. */
  Future<?> begin(long request, int number, boolean measured, Runnable write) {
    long handedOver = context.nanoTime();
    return threads.submit(() -> writeNow(request, number, measured, handedOver, write));
  }

  static void await(Future<?> write) throws Exception {
    try {
      write.get();
    } catch (ExecutionException failure) {
      throw cause(failure);
    }
  }

  static Exception cause(ExecutionException failure) {
    return failure.getCause() instanceof Exception cause ? cause : failure;
  }

  /** Writes on a thread of the pool; a failure is counted. */
  void writeLater(long request, boolean measured, Runnable write) {
    long handedOver = context.nanoTime();
    try {
      threads.execute(
          () -> {
            try {
              writeNow(request, 0, measured, handedOver, write);
            } catch (RuntimeException e) {
              context.failed(e);
            }
          });
    } catch (RejectedExecutionException closed) {
      context.failed(closed);
    }
  }

  private void writeNow(
      long request, int number, boolean measured, long handedOver, Runnable write) {
    long start = context.nanoTime();
    waiting.record(request, number, measured, handedOver, start);
    write.run();
    writing.record(request, number, measured, start, context.nanoTime());
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
