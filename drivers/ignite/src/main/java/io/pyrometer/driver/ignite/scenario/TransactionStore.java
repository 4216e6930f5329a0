package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.api.MockAnswer;
import io.pyrometer.scenario.api.ServiceContext;
import io.pyrometer.scenario.protocol.Part;
import java.util.Optional;
import java.util.function.Function;
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
  private final boolean pessimistic;
  private final ServiceContext.Step retrieve;
  private final ServiceContext.Step commit;

  TransactionStore(
      Ignite ignite,
      IgniteCache<Long, Handler> cache,
      ServiceContext context,
      boolean pessimistic) {
    super(cache, context);
    this.transactions = ignite.transactions();
    this.pessimistic = pessimistic;
    this.retrieve = context.step("RetrieveHandler", Part.CACHE_READ);
    this.commit = context.step("CommitHandler", Part.CACHE_WRITE);
  }

  @Override
  Optional<Handler> append(MockAnswer answer) {
    long start = context.nanoTime();
    @Nullable Handler stored =
        inTransaction(
            transaction -> {
              long from = context.nanoTime();
              Handler before = cache.get(answer.request());
              long read = context.nanoTime();
              retrieve.record(answer.request(), answer.number(), answer.measured(), from, read);
              if (before == null) {
                return null;
              }
              Handler after = before.with(answer.number(), answer.payload());
              store(answer.request(), after);
              transaction.commit();
              commit.record(
                  answer.request(), answer.number(), answer.measured(), read, context.nanoTime());
              return after;
            });
    return appended(answer, start, stored);
  }

  @Override
  Optional<Handler> expire(long request, boolean measured) {
    return Optional.ofNullable(
        inTransaction(
            transaction -> {
              Handler before = cache.get(request);
              if (before != null) {
                cache.remove(request);
              }
              transaction.commit();
              return before;
            }));
  }

  /**
   * @param body which commits, unless there is nothing to commit
   */
  private @Nullable Handler inTransaction(Function<Transaction, @Nullable Handler> body) {
    for (int attempt = 1; ; attempt++) {
      try (Transaction transaction =
          pessimistic
              ? transactions.txStart(
                  TransactionConcurrency.PESSIMISTIC,
                  TransactionIsolation.REPEATABLE_READ,
                  TIMEOUT_MILLIS,
                  1)
              : transactions.txStart(
                  TransactionConcurrency.OPTIMISTIC,
                  TransactionIsolation.SERIALIZABLE,
                  TIMEOUT_MILLIS,
                  1)) {
        return body.apply(transaction);
      } catch (TransactionOptimisticException conflict) {
        if (attempt == ATTEMPTS) {
          throw conflict;
        }
      }
    }
  }
}
