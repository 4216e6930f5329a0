package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.data.FieldChange;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Call;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import javax.cache.processor.EntryProcessor;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteTransactions;
import org.apache.ignite.internal.util.typedef.X;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionDeadlockException;
import org.apache.ignite.transactions.TransactionIsolation;
import org.apache.ignite.transactions.TransactionOptimisticException;
import org.apache.ignite.transactions.TransactionTimeoutException;

/**
 * Paths that change fields of existing records: one field, or the balances of two records, from one
 * of which an amount is moved to the other.
 */
final class ChangePaths {
  private static final SettingKey<String> UPDATE_ON = GridSettings.DECLARED.text("update-on");
  private static final SettingKey<String> KEY_ORDER = GridSettings.DECLARED.text("key-order");
  private static final SettingKey<String> ISOLATION = GridSettings.DECLARED.text("isolation");
  private static final SettingKey<String> CONCURRENCY = GridSettings.DECLARED.text("concurrency");
  private static final SettingKey<Double> TIMEOUT =
      GridSettings.DECLARED.seconds("transaction-timeout");

  /** Attempts of a transaction before the call fails. */
  private static final int ATTEMPTS = 100;

  private ChangePaths() {}

  /** Changes one record. */
  @FunctionalInterface
  interface Single {

    /** Returns whether the record exists. */
    boolean change(IgniteCache<Long, Object> cache, Long key, FieldChange change);
  }

  static boolean put(IgniteCache<Long, Object> cache, Long key, FieldChange change) {
    Object found = cache.get(key);
    if (found != null) {
      cache.put(key, change.of(found));
    }
    return found != null;
  }

  static FunctionPath single(IgniteTrial trial, Single single) {
    IgniteCache<Long, Object> cache = cache(trial);
    IntFunction<FieldChange> changes = changes(trial);
    return FunctionPath.writing(
        trial.operation(),
        1,
        call ->
            FunctionPath.requireFound(
                call.key(0), single.change(cache, call.key(0), changes.apply(call.record(0)))));
  }

  static FunctionPath invokeAll(IgniteTrial trial) {
    IgniteCache<Long, Object> cache = cache(trial);
    IntFunction<FieldChange> changes = changes(trial);
    return FunctionPath.writing(
        trial.operation(),
        trial.settings().get(PathSettings.BATCH),
        call -> {
          Map<Long, EntryProcessor<Long, Object, Boolean>> batch = trial.newMap(call.size());
          for (int i = 0; i < call.size(); i++) {
            batch.put(call.key(i), changes.apply(call.record(i)));
          }
          cache
              .invokeAll(batch)
              .forEach((key, found) -> FunctionPath.requireFound(key, found.get()));
        });
  }

  private static IgniteCache<Long, Object> cache(IgniteTrial trial) {
    if (trial.settings().get(UPDATE_ON).equals("binary")) {
      return trial.binaryCache();
    }
    Class<?> unused = RecordClass.require(trial.records().shape());
    return trial.ignite().cache(trial.cacheName);
  }

  /** Changes of the updated field to the value that the record of an index has. */
  private static IntFunction<FieldChange> changes(IgniteTrial trial) {
    RecordShape shape = trial.records().shape();
    int field = Update.field(shape, trial.settings());
    String name = shape.fields().get(field).name();
    Object[][] fields = trial.stock.fields();
    return record -> FieldChange.set(name, fields[record][field]);
  }

  private static String balance(IgniteTrial trial) {
    int field = Update.balance(trial.records().shape(), trial.settings());
    return trial.records().shape().fields().get(field).name();
  }

  static FunctionPath inTransaction(IgniteTrial trial) {
    if (!trial.transactional()) {
      throw new GridException(
          "Path 'transfer' uses transactions, which an ATOMIC cache lacks: set 'atomicity:"
              + " TRANSACTIONAL'.");
    }
    InTransaction transfers = new InTransaction(trial);
    return FunctionPath.writing(trial.operation(), 2, transfers::call)
        .counting(transfers::rollbacks);
  }

  /** Each balance is changed by itself: exactly, but others may see the one without the other. */
  static FunctionPath byInvoke(IgniteTrial trial) {
    IgniteCache<Long, Object> cache = trial.binaryCache();
    String balance = balance(trial);
    return FunctionPath.writing(
        trial.operation(),
        2,
        call -> {
          for (int i = 0; i < 2; i++) {
            long amount = i == 0 ? -call.amount() : call.amount();
            FunctionPath.requireFound(
                call.key(i), cache.invoke(call.key(i), FieldChange.add(balance, amount)));
          }
        });
  }

  /**
   * Reads two balances, changes them in the client and writes both, in a transaction that is tried
   * again when it was rolled back for another one's sake. Nothing but the isolation asked for
   * guards the balances between reading and writing.
   */
  private static final class InTransaction {
    private final IgniteTransactions transactions;
    private final IgniteCache<Long, Object> cache;
    private final String balance;
    private final TransactionConcurrency concurrency;
    private final TransactionIsolation isolation;
    private final boolean sorted;
    private final long timeoutMillis;
    private final AtomicLong conflicts = new AtomicLong();
    private final AtomicLong deadlocks = new AtomicLong();
    private final AtomicLong timeouts = new AtomicLong();

    InTransaction(IgniteTrial trial) {
      Settings settings = trial.settings();
      transactions = trial.ignite().transactions();
      cache = trial.binaryCache();
      balance = balance(trial);
      concurrency = TransactionConcurrency.valueOf(settings.get(CONCURRENCY));
      isolation = TransactionIsolation.valueOf(settings.get(ISOLATION));
      sorted = settings.get(KEY_ORDER).equals("sorted");
      timeoutMillis = Math.max(1, Math.round(1e3 * settings.get(TIMEOUT)));
    }

    Map<String, Long> rollbacks() {
      return Map.of(
          "rollbacks-conflict", conflicts.get(),
          "rollbacks-deadlock", deadlocks.get(),
          "rollbacks-timeout", timeouts.get());
    }

    void call(Call call) {
      boolean swap = sorted && call.key(1) < call.key(0);
      long first = swap ? call.key(1) : call.key(0);
      long second = swap ? call.key(0) : call.key(1);
      long toFirst = swap ? call.amount() : -call.amount();
      for (int attempt = 1; !succeeds(first, second, toFirst, attempt == ATTEMPTS); attempt++) {}
    }

    /**
     * Returns whether it was committed; an exception where it was rolled back for the last time, or
     * for a reason that trying again does not remove.
     */
    private boolean succeeds(long first, long second, long toFirst, boolean last) {
      boolean committing = false;
      try (Transaction transaction =
          transactions.txStart(concurrency, isolation, timeoutMillis, 2)) {
        Object one = cache.get(first);
        Object other = cache.get(second);
        FunctionPath.requireFound(first, one != null);
        FunctionPath.requireFound(second, other != null);
        cache.put(first, FieldChange.add(balance, toFirst).of(one));
        cache.put(second, FieldChange.add(balance, -toFirst).of(other));
        committing = true;
        transaction.commit();
        return true;
      } catch (RuntimeException failure) {
        AtomicLong cause = rolledBackFor(failure).orElseThrow(() -> failure);
        if (committing && cause != conflicts) {
          // A commit that timed out may have been carried out: to try again would transfer twice.
          throw failure;
        }
        cause.incrementAndGet();
        if (last) {
          throw failure;
        }
        return false;
      }
    }

    /** The count of rollbacks with this cause; empty where the transaction may be committed. */
    private Optional<AtomicLong> rolledBackFor(Throwable failure) {
      if (X.hasCause(failure, TransactionOptimisticException.class)) {
        return Optional.of(conflicts);
      } else if (X.hasCause(failure, TransactionDeadlockException.class)) {
        return Optional.of(deadlocks);
      }
      return X.hasCause(failure, TransactionTimeoutException.class)
          ? Optional.of(timeouts)
          : Optional.empty();
    }
  }
}
