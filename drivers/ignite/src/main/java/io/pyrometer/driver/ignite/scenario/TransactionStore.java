package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.api.MockAnswer;
import io.pyrometer.scenario.api.Request;
import io.pyrometer.scenario.api.ServiceContext;
import io.pyrometer.scenario.protocol.Part;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.apache.ignite.transactions.TransactionOptimisticException;

/**
 * Reads and writes in a transaction. A pessimistic one waits for the handler's lock when it reads,
 * so its reads contain that wait; an optimistic one is tried again where another one came first.
 */
final class TransactionStore implements HandlerStore {
  private static final int ATTEMPTS = 10;
  private static final long TIMEOUT_MILLIS = 5_500;

  private final Ignite ignite;
  private final IgniteCache<Long, Handler> cache;
  private final ServiceContext context;
  private final TransactionConcurrency concurrency;
  private final TransactionIsolation isolation;
  private final Writers writers;
  private final ServiceContext.Step retrieve;
  private final ServiceContext.Step commit;

  private TransactionStore(
      Ignite ignite,
      IgniteCache<Long, Handler> cache,
      ServiceContext context,
      TransactionConcurrency concurrency,
      TransactionIsolation isolation) {
    this.ignite = ignite;
    this.cache = cache;
    this.context = context;
    this.concurrency = concurrency;
    this.isolation = isolation;
    this.writers = new Writers(context);
    this.retrieve = context.step("RetrieveHandler", Part.CACHE_READ);
    this.commit = context.step("CommitHandler", Part.CACHE_WRITE);
  }

  static TransactionStore pessimistic(
      Ignite ignite, IgniteCache<Long, Handler> cache, ServiceContext context) {
    return new TransactionStore(
        ignite,
        cache,
        context,
        TransactionConcurrency.PESSIMISTIC,
        TransactionIsolation.REPEATABLE_READ);
  }

  static TransactionStore optimistic(
      Ignite ignite, IgniteCache<Long, Handler> cache, ServiceContext context) {
    return new TransactionStore(
        ignite,
        cache,
        context,
        TransactionConcurrency.OPTIMISTIC,
        TransactionIsolation.SERIALIZABLE);
  }

  @Override
  public void create(Request request, Handler handler) throws Exception {
    writers.write(request.id(), 0, request.measured(), () -> cache.put(request.id(), handler));
  }

  @Override
  public void createLater(Request request, Handler handler) {
    writers.writeLater(request.id(), 0, request.measured(), () -> cache.put(request.id(), handler));
  }

  @Override
  public Optional<Handler> append(MockAnswer answer) {
    long from = context.nanoTime();
    Optional<Handler> after =
        change(
            answer.request(),
            answer.number(),
            answer.measured(),
            before -> before.with(answer.number(), answer.payload()));
    if (after.isEmpty()) {
      context.noState(answer, from);
    } else {
      context.appended(answer, from, after.get().received());
    }
    return after;
  }

  @Override
  public Optional<Handler> expire(long request, boolean measured) {
    for (int attempt = 1; ; attempt++) {
      try (Transaction transaction = begin()) {
        Optional<Handler> before = Optional.ofNullable(cache.get(request));
        if (before.isPresent()) {
          cache.remove(request);
        }
        transaction.commit();
        return before;
      } catch (TransactionOptimisticException conflict) {
        rethrowLast(conflict, attempt);
      }
    }
  }

  /** Changes a handler, and removes it if it is complete then; empty where there is none. */
  private Optional<Handler> change(
      long request, int number, boolean measured, UnaryOperator<Handler> change) {
    for (int attempt = 1; ; attempt++) {
      long from = context.nanoTime();
      try (Transaction transaction = begin()) {
        Handler before = cache.get(request);
        long read = context.nanoTime();
        retrieve.record(request, number, measured, from, read);
        if (before == null) {
          return Optional.empty();
        }
        Handler after = change.apply(before);
        if (after.complete()) {
          cache.remove(request);
        } else {
          cache.put(request, after);
        }
        transaction.commit();
        commit.record(request, number, measured, read, context.nanoTime());
        return Optional.of(after);
      } catch (TransactionOptimisticException conflict) {
        rethrowLast(conflict, attempt);
      }
    }
  }

  private Transaction begin() {
    return ignite.transactions().txStart(concurrency, isolation, TIMEOUT_MILLIS, 1);
  }

  private static void rethrowLast(TransactionOptimisticException conflict, int attempt) {
    if (attempt == ATTEMPTS) {
      throw conflict;
    }
  }

  @Override
  public void close() {
    writers.close();
  }
}
