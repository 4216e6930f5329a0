package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ServiceContext;
import io.pyrometer.scenario.Subject;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteTransactions;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.apache.ignite.transactions.TransactionOptimisticException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes in a transaction. A pessimistic one waits for the handler's lock when it reads,
 * so its reads contain that wait; an optimistic one is tried again where another one came first.
 */
final class TransactionStore extends HandlerStore {
  private static final int ATTEMPTS = 10;
  private static final long TIMEOUT_MILLIS = 5_500;

  private final IgniteTransactions transactions;
  private final TransactionConcurrency concurrency;
  private final TransactionIsolation isolation;
  private final ServiceContext.Step retrieve;
  private final ServiceContext.Step commit;

  TransactionStore(
      Ignite ignite,
      IgniteCache<Long, Handler> cache,
      ServiceContext context,
      boolean pessimistic) {
    super(cache, context);
    this.transactions = ignite.transactions();
    this.concurrency =
        pessimistic ? TransactionConcurrency.PESSIMISTIC : TransactionConcurrency.OPTIMISTIC;
    this.isolation =
        pessimistic ? TransactionIsolation.REPEATABLE_READ : TransactionIsolation.SERIALIZABLE;
    this.retrieve = context.step("RetrieveHandler", Part.CACHE_READ);
    this.commit = context.step("CommitHandler", Part.CACHE_WRITE);
  }

  @Override
  Optional<Handler> append(MockAnswer answer) {
    long start = context.nanoTime();
    @Nullable Handler stored =
        inTransaction(
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
        inTransaction(
            request,
            before -> {
              cache.remove(request.id());
              return before;
            }));
  }

  /** Handler after a change; null if there is none. */
  private @Nullable Handler inTransaction(Subject of, UnaryOperator<Handler> change) {
    for (int attempt = 1; ; attempt++) {
      long read = context.nanoTime();
      try (Transaction transaction = begin()) {
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

  private Transaction begin() {
    return transactions.txStart(concurrency, isolation, TIMEOUT_MILLIS, 1);
  }
}
