package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ServiceContext;
import io.pyrometer.scenario.Subject;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.IgniteCache;
import org.jspecify.annotations.Nullable;

/** How handlers are kept in the cache: one implementation for each level of {@code handler}. */
abstract class HandlerStore implements AutoCloseable {
  final IgniteCache<Long, Handler> cache;
  final ServiceContext context;
  private final ExecutorService writers;
  private final ServiceContext.Step waiting;
  private final ServiceContext.Step writing;
  private final ServiceContext.Step resuming;

  HandlerStore(IgniteCache<Long, Handler> cache, ServiceContext context) {
    this.cache = cache;
    this.context = context;
    this.writers =
        Executors.newFixedThreadPool(context.settings().get(IgniteScenarios.WRITER_THREADS));
    this.waiting = context.step("WaitForWriter", Part.QUEUEING);
    this.writing = context.step("WriteHandler", Part.CACHE_WRITE);
    this.resuming = context.step("ResumeAfterWrite", Part.QUEUEING);
  }

  /** Stores a new handler; returns when the grid has acknowledged it. */
  void create(Request request, Handler handler) throws Exception {
    await(request, begin(request, () -> cache.put(request.id(), handler)), Long.MAX_VALUE);
  }

  /** Stores a new handler after the step that made it; returns at once. */
  void createLater(Request request, Handler handler) {
    writeLater(request, () -> cache.put(request.id(), handler));
  }

  /**
   * Adds an answer to its handler, and removes the handler if that completes it. At most one call
   * for a request, of all processes, returns a complete handler.
   *
   * @return the handler with the answer; empty if there is none
   */
  abstract Optional<Handler> append(MockAnswer answer) throws Exception;

  /**
   * Removes the handler of a request whose time is up. Of all calls of this and of {@link #append}
   * that remove the handler, one returns it.
   *
   * @return empty if the request has ended already
   */
  abstract Optional<Handler> expire(Request request) throws Exception;

  /** Reports the end of an appending step, and returns what it left. */
  final Optional<Handler> appended(MockAnswer answer, long from, @Nullable Handler after) {
    if (after == null) {
      context.noState(answer, from);
    } else {
      context.appended(answer, from, after.received());
    }
    return Optional.ofNullable(after);
  }

  /** Stores a handler, or removes it if it is complete. */
  final void store(long request, Handler handler) {
    if (handler.complete()) {
      cache.remove(request);
    } else {
      cache.put(request, handler);
    }
  }

  /** Begins to write on a thread of the pool; gives the time when the grid acknowledged it. */
  final Future<Long> begin(Subject of, Runnable write) {
    long handedOver = context.nanoTime();
    return writers.submit(() -> writeNow(of, handedOver, write));
  }

  /**
   * Waits until the grid has acknowledged a write.
   *
   * @throws TimeoutException if it has not by then
   */
  final void await(Subject of, Future<Long> write, long millis) throws Exception {
    try {
      long written = write.get(millis, TimeUnit.MILLISECONDS);
      resuming.record(of, written, context.nanoTime());
    } catch (ExecutionException failure) {
      throw cause(failure);
    }
  }

  static Exception cause(ExecutionException failure) {
    return failure.getCause() instanceof Exception cause ? cause : failure;
  }

  /** Writes on a thread of the pool; a failure is counted. */
  final void writeLater(Subject of, Runnable write) {
    long handedOver = context.nanoTime();
    try {
      writers.execute(
          () -> {
            try {
              long unused = writeNow(of, handedOver, write);
            } catch (RuntimeException e) {
              context.failed(e);
            }
          });
    } catch (RejectedExecutionException closed) {
      context.failed(closed);
    }
  }

  private long writeNow(Subject of, long handedOver, Runnable write) {
    long start = context.nanoTime();
    waiting.record(of, handedOver, start);
    write.run();
    long end = context.nanoTime();
    writing.record(of, start, end);
    return end;
  }

  @Override
  public void close() {
    writers.shutdownNow();
  }
}
