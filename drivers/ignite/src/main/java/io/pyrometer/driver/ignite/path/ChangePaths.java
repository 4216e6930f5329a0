package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingKey;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.internal.util.typedef.X;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionDeadlockException;
import org.apache.ignite.transactions.TransactionOptimisticException;
import org.apache.ignite.transactions.TransactionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Paths that change fields of existing records: one field, or the balances of two records, from one
 * of which an amount is moved to the other.
 */
final class ChangePaths {
  private static final SettingKey<String> UPDATE_ON = GridSettings.DECLARED.text("update-on");
  private static final SettingKey<String> KEY_ORDER = GridSettings.DECLARED.text("key-order");
  private static final String CONFLICT = "rollbacks-conflict";

  /** An event that counts rollbacks, and their cause. */
  private record Rollback(String event, Class<? extends Exception> cause) {}

  /** A deadlock is found once the transaction has timed out, so that it comes before. */
  private static final List<Rollback> ROLLBACKS =
      List.of(
          new Rollback(CONFLICT, TransactionOptimisticException.class),
          new Rollback("rollbacks-deadlock", TransactionDeadlockException.class),
          new Rollback("rollbacks-timeout", TransactionTimeoutException.class));

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
  static FunctionPath inTransaction(IgniteTrial trial) {
    if (!trial.transactional()) {
      throw new GridException(
          "Path 'transfer' uses transactions, which an ATOMIC cache lacks: set 'atomicity:"
              + " TRANSACTIONAL'.");
    }
    Map<String, Long> rollbacks = new ConcurrentHashMap<>();
    ROLLBACKS.forEach(each -> rollbacks.put(each.event, 0L));
    Transfers transfers =
        new Transfers(
            trial.client.transactions(trial.settings()),
            trial.binaryCache(),
            balance(trial),
            rollbacks);
    boolean sorted = trial.settings().get(KEY_ORDER).equals("sorted");
    return FunctionPath.writing(
            trial.operation(),
            2,
            call -> {
              if (sorted && call.key(1) < call.key(0)) {
                transfers.transfer(call.key(1), call.key(0), call.amount());
              } else {
                transfers.transfer(call.key(0), call.key(1), -call.amount());
              }
            })
        .counting(() -> Map.copyOf(rollbacks));
  }

  private record Transfers(
      IntFunction<Transaction> begin,
      IgniteCache<Long, Object> cache,
      String balance,
      Map<String, Long> rollbacks) {

    void transfer(long first, long second, long toFirst) {
      for (int attempt = 1; !succeeds(first, second, toFirst, attempt == ATTEMPTS); attempt++) {}
    }

    /**
     * Returns whether it was committed; an exception where it was rolled back for the last time, or
     * for a reason that trying again does not remove.
     */
    private boolean succeeds(long first, long second, long toFirst, boolean last) {
      boolean committing = false;
      try (Transaction transaction = begin.apply(2)) {
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
        String event =
            ROLLBACKS.stream()
                .filter(each -> X.hasCause(failure, each.cause))
                .map(Rollback::event)
                .findFirst()
                .orElseThrow(() -> failure);
        // A commit that timed out may have been carried out: to try again would transfer twice.
        if (committing && !event.equals(CONFLICT)) {
          throw failure;
        }
        rollbacks.merge(event, 1L, Long::sum);
        if (last) {
          throw failure;
        }
        return false;
      }
    }
  }

  /**
   * A change of one field of a record, which may be sent to where the entry lies. The record is a
   * binary object, which is copied, or an object of its class, which is changed itself.
   */
  static final class FieldChange implements CacheEntryProcessor<Long, Object, Boolean> {
    private static final long serialVersionUID = 1L;

    /** The field looked up last, since all entries of a trial have one class. */
    private static volatile @Nullable Field last;

    private final String field;
    private final Object operand;
    private final boolean adds;

    private FieldChange(String field, Object operand, boolean adds) {
      this.field = field;
      this.operand = operand;
      this.adds = adds;
    }

    /** Gives the field a value. */
    static FieldChange set(String field, Object value) {
      return new FieldChange(field, value, false);
    }

    /** Adds to a field of type long or int of a binary object. */
    static FieldChange add(String field, long amount) {
      return new FieldChange(field, amount, true);
    }

    /** Returns whether there was an entry to change. */
    @Override
    public Boolean process(MutableEntry<Long, Object> entry, Object... none) {
      if (!entry.exists()) {
        return false;
      }
      entry.setValue(of(entry.getValue()));
      return true;
    }

    /** The changed record. */
    Object of(Object record) {
      if (record instanceof BinaryObject binary) {
        Object value = adds ? sum(binary.field(field), (Long) operand) : operand;
        return binary.toBuilder().setField(field, value).build();
      }
      Field changed = last;
      if (changed == null
          || !changed.getName().equals(field)
          || !changed.getDeclaringClass().isInstance(record)) {
        changed = RecordClass.field(record.getClass(), field);
        last = changed;
      }
      ReflectionUtils.setField(changed, record, operand);
      return record;
    }

    private static Object sum(Number before, long amount) {
      long after = before.longValue() + amount;
      return before instanceof Integer ? (Object) Math.toIntExact(after) : (Object) after;
    }
  }
}
