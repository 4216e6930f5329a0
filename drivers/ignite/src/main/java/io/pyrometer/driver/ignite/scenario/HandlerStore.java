package io.pyrometer.driver.ignite.scenario;

import static org.apache.ignite.transactions.TransactionConcurrency.OPTIMISTIC;
import static org.apache.ignite.transactions.TransactionConcurrency.PESSIMISTIC;
import static org.apache.ignite.transactions.TransactionIsolation.REPEATABLE_READ;
import static org.apache.ignite.transactions.TransactionIsolation.SERIALIZABLE;

import io.pyrometer.driver.GridException;
import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ServiceContext;
import io.pyrometer.scenario.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteTransactions;
import org.apache.ignite.cluster.ClusterTopologyException;
import org.apache.ignite.internal.util.typedef.X;
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
    await(request, begin(request, () -> put(request.id(), handler)), Long.MAX_VALUE);
  }

  /** Stores a new handler after the step that made it; returns at once, and counts a failure. */
  final void createLater(Request request, Handler handler) {
    try {
      CompletableFuture<Long> unused =
          begin(request, () -> put(request.id(), handler))
              .exceptionally(
                  failure -> {
                    context.failed(failure);
                    return 0L;
                  });
    } catch (RejectedExecutionException closed) {
      context.failed(closed);
    }
  }

  void put(long request, Handler handler) {
    cache.put(request, handler);
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
  final CompletableFuture<Long> begin(Subject of, Runnable write) {
    long handedOver = context.nanoTime();
    return CompletableFuture.supplyAsync(
        () -> {
          long start = context.nanoTime();
          waiting.record(of, handedOver, start);
          write.run();
          long end = context.nanoTime();
          writing.record(of, start, end);
          return end;
        },
        writers);
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
    void put(long request, Handler handler) {
      handlers.put(request, handler);
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

  /**
   * The published way: a lock on the request's id over the whole cluster, which is asked for up to
   * ten times, waiting 100·i ms the i-th time; read; and write by the pool of writers. The lock is
   * held until the grid has acknowledged the write.
   *
   * <p>Two properties of Ignite's explicit locks (2.17) decide what happens when a server is
   * killed. A read by the thread that holds a lock is bound to the topology in which the lock was
   * taken, and is sent to the killed server again and again without end ({@code
   * GridPartitionedSingleGetFuture.onNodeLeft}); so reads are done by threads that hold none. And
   * the new topology waits for all locks of the old one to be released ({@code
   * GridCacheMvccManager.finishLocks}), while a write by another thread waits for the new topology;
   * so a lock is released when the grid has not answered for {@value #PATIENCE_MILLIS} ms. A write
   * that is acknowledged after that may be overwritten by that of another answer, whose request
   * then times out.
   */
  static final class UnderLock extends HandlerStore {
    private static final int ATTEMPTS = 10;
    private static final long MILLIS_EACH = 100;
    private static final long PATIENCE_MILLIS = 2_000;

    private final IgniteCache<Long, Handler> locks;
    private final ExecutorService readers = Executors.newCachedThreadPool();
    private final ServiceContext.Step acquire;
    private final ServiceContext.Step release;
    private final ServiceContext.Step retrieve;
    private final ServiceContext.Step retrieveExit;

    /**
     * @param locks a transactional cache without entries
     */
    UnderLock(
        IgniteCache<Long, Handler> cache,
        IgniteCache<Long, Handler> locks,
        ServiceContext context) {
      super(cache, context);
      this.locks = locks;
      this.acquire = context.step("AcquireHandlerLock", Part.LOCK_WAIT);
      this.release = context.step("ReleaseHandlerLock", Part.LOCK_WAIT);
      this.retrieve = context.step("RetrieveLockedHandler", Part.CACHE_READ);
      this.retrieveExit = context.step("RetrieveExitHandler", Part.CACHE_READ);
    }

    @Override
    Optional<Handler> append(MockAnswer answer) throws Exception {
      try (Held lock = acquire(answer)) {
        long from = context.nanoTime();
        @Nullable Handler before = read(answer.request());
        retrieve.record(answer, from, context.nanoTime());
        if (before == null) {
          return appended(answer, from, null);
        }
        Handler after = before.with(answer.number(), answer.payload());
        await(answer, begin(answer, () -> store(answer.request(), after)), lock);
        return appended(answer, from, after);
      }
    }

    @Override
    Optional<Handler> expire(Request request) throws Exception {
      try (Held lock = acquire(request)) {
        long from = context.nanoTime();
        Optional<Handler> handler = Optional.ofNullable(read(request.id()));
        if (handler.isPresent()) {
          retrieveExit.record(request, from, context.nanoTime());
          await(request, begin(request, () -> cache.remove(request.id())), lock);
        }
        return handler;
      }
    }

    /** A lock that is held by this thread until it is released, once. */
    private final class Held implements AutoCloseable {
      private final Lock lock;
      private final Subject of;
      private boolean released;

      Held(Lock lock, Subject of) {
        this.lock = lock;
        this.of = of;
      }

      /** A failure changes nothing for the request, whose write is acknowledged. */
      @Override
      public void close() {
        if (!released) {
          released = true;
          long from = context.nanoTime();
          try {
            lock.unlock();
          } catch (RuntimeException failure) {
            context.failed(failure);
          }
          release.record(of, from, context.nanoTime());
        }
      }
    }

    private Held acquire(Subject of) throws InterruptedException {
      long from = context.nanoTime();
      Lock lock = locks.lock(of.request());
      for (int i = 1; i <= ATTEMPTS; i++) {
        if (tryLock(lock, i * MILLIS_EACH)) {
          acquire.record(of, from, context.nanoTime());
          return new Held(lock, of);
        }
      }
      throw new GridException("The lock of a handler was not free for 5.5 s.");
    }

    /** A server that had the lock and left is no reason to give up, as another has it then. */
    private boolean tryLock(Lock lock, long millis) throws InterruptedException {
      try {
        return lock.tryLock(millis, TimeUnit.MILLISECONDS);
      } catch (CacheException left) {
        if (!X.hasCause(left, ClusterTopologyException.class)) {
          throw left;
        }
        context.failed(left);
        Thread.sleep(millis);
        return false;
      }
    }

    private @Nullable Handler read(long request) throws Exception {
      Future<@Nullable Handler> read = readers.submit(() -> cache.get(request));
      try {
        return read.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException waitsForTheLock) {
        read.cancel(true);
        throw new GridException(
            "A handler could not be read under its lock within 2 s.", waitsForTheLock);
      } catch (ExecutionException failure) {
        throw cause(failure);
      }
    }

    /**
     * Returns when the grid has acknowledged a write; gives the lock up where it waits for that.
     */
    private void await(Subject of, Future<Long> write, Held lock) throws Exception {
      try {
        await(of, write, PATIENCE_MILLIS);
      } catch (TimeoutException waitsForTheLock) {
        lock.close();
        await(of, write, Long.MAX_VALUE);
      }
    }

    @Override
    public void close() {
      readers.shutdownNow();
      super.close();
    }
  }
}
