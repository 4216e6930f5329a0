package io.pyrometer.driver.ignite.scenario;

import static org.apache.ignite.transactions.TransactionConcurrency.OPTIMISTIC;
import static org.apache.ignite.transactions.TransactionConcurrency.PESSIMISTIC;
import static org.apache.ignite.transactions.TransactionIsolation.REPEATABLE_READ;
import static org.apache.ignite.transactions.TransactionIsolation.SERIALIZABLE;

import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ServiceContext;
import io.pyrometer.scenario.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteTransactions;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionOptimisticException;
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

  /** The result of a call, whose time is that of a step. */
  final <T extends @Nullable Object> T timed(
      ServiceContext.Step step, Subject of, Supplier<T> call) {
    long from = context.nanoTime();
    T result = call.get();
    step.record(of, from, context.nanoTime());
    return result;
  }

  @Override
  public void close() {
    writers.shutdownNow();
  }

  /** Reads, appends and writes where the handler is, in one call that the cache makes atomic. */
  static final class ByEntryProcessor extends HandlerStore {
    private final ServiceContext.Step process;

    ByEntryProcessor(IgniteCache<Long, Handler> cache, ServiceContext context) {
      super(cache, context);
      this.process = context.step("ProcessHandler", Part.CACHE_WRITE);
    }

    @Override
    Optional<Handler> append(MockAnswer answer) {
      long from = context.nanoTime();
      @Nullable Handler after =
          cache.invoke(answer.request(), new Append(), answer.number(), answer.payload());
      process.record(answer, from, context.nanoTime());
      return appended(answer, from, after);
    }

    @Override
    Optional<Handler> expire(Request request) {
      return timed(process, request, () -> Optional.ofNullable(cache.getAndRemove(request.id())));
    }

    /** Runs on the node that has the handler; takes the number of the answer and its payload. */
    private static final class Append implements EntryProcessor<Long, Handler, @Nullable Handler> {
      private static final long serialVersionUID = 1L;

      @Override
      public @Nullable Handler process(MutableEntry<Long, Handler> entry, Object... arguments) {
        Handler before = entry.getValue();
        if (before == null) {
          return null;
        }
        Handler after = before.with((Integer) arguments[0], (Long) arguments[1]);
        if (after.complete()) {
          entry.remove();
        } else {
          entry.setValue(after);
        }
        return after;
      }
    }
  }

  /**
   * The published mode without a cluster: handlers are in a map of the one process of the service.
   * Compared with it, the others show what the grid itself costs.
   */
  static final class InMemory extends HandlerStore {
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final ServiceContext.Step process;

    InMemory(IgniteCache<Long, Handler> cache, ServiceContext context) {
      super(cache, context);
      this.process = context.step("ProcessHandler", Part.CACHE_WRITE);
    }

    @Override
    void create(Request request, Handler handler) {
      @Nullable Handler unused = timed(process, request, () -> handlers.put(request.id(), handler));
    }

    @Override
    void createLater(Request request, Handler handler) {
      writeLater(request, () -> handlers.put(request.id(), handler));
    }

    @Override
    Optional<Handler> append(MockAnswer answer) {
      long from = context.nanoTime();
      @Nullable Handler[] after = new @Nullable Handler[1];
      handlers.computeIfPresent(
          answer.request(),
          (request, before) -> {
            after[0] = before.with(answer.number(), answer.payload());
            return after[0].complete() ? null : after[0];
          });
      process.record(answer, from, context.nanoTime());
      return appended(answer, from, after[0]);
    }

    @Override
    Optional<Handler> expire(Request request) {
      return Optional.ofNullable(handlers.remove(request.id()));
    }
  }

  /**
   * Reads and writes in a transaction. A pessimistic one waits for the handler's lock when it
   * reads, so its reads contain that wait; an optimistic one is tried again where another one came
   * first.
   */
  static final class InTransaction extends HandlerStore {
    private static final int ATTEMPTS = 10;
    private static final long TIMEOUT_MILLIS = 5_500;

    private final Supplier<Transaction> begin;
    private final ServiceContext.Step retrieve;
    private final ServiceContext.Step commit;

    InTransaction(
        IgniteTransactions transactions,
        IgniteCache<Long, Handler> cache,
        ServiceContext context,
        boolean pessimistic) {
      super(cache, context);
      this.begin =
          () ->
              pessimistic
                  ? transactions.txStart(PESSIMISTIC, REPEATABLE_READ, TIMEOUT_MILLIS, 1)
                  : transactions.txStart(OPTIMISTIC, SERIALIZABLE, TIMEOUT_MILLIS, 1);
      this.retrieve = context.step("RetrieveHandler", Part.CACHE_READ);
      this.commit = context.step("CommitHandler", Part.CACHE_WRITE);
    }

    @Override
    Optional<Handler> append(MockAnswer answer) {
      long start = context.nanoTime();
      @Nullable Handler stored =
          change(
              answer,
              before -> {
                Handler after = before.with(answer.number(), answer.payload());
                store(answer.request(), after);
                return after;
              });
      return appended(answer, start, stored);
    }

    @Override
    Optional<Handler> expire(Request request) {
      return Optional.ofNullable(
          change(
              request,
              before -> {
                cache.remove(request.id());
                return before;
              }));
    }

    /** Handler after a change; null if there is none. */
    private @Nullable Handler change(Subject of, UnaryOperator<Handler> change) {
      for (int attempt = 1; ; attempt++) {
        long read = context.nanoTime();
        try (Transaction transaction = begin.get()) {
          long from = read;
          Handler before = cache.get(of.request());
          read = context.nanoTime();
          retrieve.record(of, from, read);
          if (before == null) {
            return null;
          }
          Handler after = change.apply(before);
          transaction.commit();
          return after;
        } catch (TransactionOptimisticException conflict) {
          if (attempt == ATTEMPTS) {
            throw conflict;
          }
        } finally {
          // Before this, the transaction is closed.
          commit.record(of, read, context.nanoTime());
        }
      }
    }
  }
}
