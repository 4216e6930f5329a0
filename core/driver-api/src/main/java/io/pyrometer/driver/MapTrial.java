package io.pyrometer.driver;

import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents.RecordVisitor;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A trial on a map of its own, for a product whose client maps keys to records: the access paths
 * that such products have in common, the fill, and the contents read back.
 *
 * @param <K> a key as the product's client takes it
 * @param <V> a record as the product's client takes it
 */
public abstract class MapTrial<K, V> implements TrialSession {
  protected final String path;
  protected final Settings settings;
  protected final Records records;

  /** The records of a page of a scan, and of a batch of the fill. */
  protected final int page;

  /**
   * A trial.
   *
   * @param path the trial's access path
   * @param settings of the trial, complete
   * @param maxPageRecords of small records, the number that suits the product
   */
  protected MapTrial(String path, Settings settings, Records records, int maxPageRecords) {
    this.path = path;
    this.settings = settings;
    this.records = records;
    this.page = PageSize.of(records, maxPageRecords);
  }

  /** A key as the client takes it. */
  protected abstract K key(long key);

  /** The record of this index as the client takes it, made beforehand. */
  protected abstract V value(int record);

  /** The fields of a stored record, in the shape's order. */
  protected abstract Object[] fields(V stored);

  /** Reads one key, outside of the measurement. */
  protected abstract @Nullable V read(K key);

  /** Writes a batch by the product's plainest bulk load, outside of the measurement. */
  protected abstract void load(Map<K, V> batch);

  /** Shows every key that is present to the visitor, each once. */
  protected abstract void scan(RecordVisitor visitor);

  /** An empty map for the records of a call, ordered where the product needs it. */
  protected Map<K, V> newBatch(int size) {
    return new HashMap<>(size * 4 / 3 + 1);
  }

  /** An empty set for the keys of a call. */
  protected Set<K> newKeys(int size) {
    return new HashSet<>(size * 4 / 3 + 1);
  }

  /** A path that writes one record a call. */
  protected final FunctionPath put(BiConsumer<K, V> put) {
    return FunctionPath.writing(path, 1, call -> write(put, call));
  }

  private void write(BiConsumer<K, V> put, Call call) {
    put.accept(key(call.key(0)), value(call.record(0)));
  }

  /** A path that writes one record a call, many calls in flight. */
  protected final FunctionPath putAsync(BiFunction<K, V, CompletionStage<?>> put) {
    return FunctionPath.completing(
        path,
        settings.get(PathSettings.IN_FLIGHT),
        call -> put.apply(key(call.key(0)), value(call.record(0))));
  }

  /** A path that writes a batch a call. */
  protected final FunctionPath putAll(Consumer<Map<K, V>> putAll) {
    return FunctionPath.writing(
        path, settings.get(PathSettings.BATCH), call -> putAll.accept(batch(call)));
  }

  /** The records of a call. */
  protected final Map<K, V> batch(Call call) {
    Map<K, V> batch = newBatch(call.size());
    for (int i = 0; i < call.size(); i++) {
      batch.put(key(call.key(i)), value(call.record(i)));
    }
    return batch;
  }

  /** A path that reads one key a call. */
  protected final FunctionPath get(Function<K, @Nullable V> get) {
    HighestFields highest = highest();
    return FunctionPath.reading(
        path, 1, highest::take, call -> see(highest, get.apply(key(call.key(0)))));
  }

  /** A path that reads a batch a call. */
  protected final FunctionPath getAll(Function<Set<K>, Map<K, V>> getAll) {
    HighestFields highest = highest();
    return FunctionPath.reading(
        path,
        settings.get(PathSettings.BATCH),
        highest::take,
        call -> {
          Set<K> keys = newKeys(call.size());
          for (int i = 0; i < call.size(); i++) {
            keys.add(key(call.key(i)));
          }
          getAll.apply(keys).values().forEach(found -> see(highest, found));
        });
  }

  /** A path whose every call reads the whole data set into what it is given. */
  protected final FunctionPath wholeSet(Consumer<HighestFields> pass) {
    HighestFields highest = highest();
    return FunctionPath.wholeSet(
        path,
        settings.get(CoreSettings.RECORDS).intValue(),
        highest::take,
        call -> pass.accept(highest));
  }

  /**
   * A path that reads or writes one record a call.
   *
   * @param writeName the operation that writes
   */
  protected final FunctionPath mixed(
      String writeName, Function<K, @Nullable V> get, BiConsumer<K, V> put) {
    return FunctionPath.mixed(
        writeName, false, key -> get.apply(key(key)) != null, call -> write(put, call));
  }

  /** The highest values of the fields that the trial aggregates over. */
  protected final HighestFields highest() {
    return new HighestFields(records.shape(), settings);
  }

  /** Takes a record in, where there is one. */
  protected final void see(HighestFields highest, @Nullable V found) {
    if (found != null) {
      highest.see(fields(found));
    }
  }

  /** The failure where the driver has no access path of the trial's name. */
  protected final GridException unknownPath(String product) {
    return new GridException("%s has no access path '%s'.".formatted(product, path));
  }

  @Override
  public void fill(long from, long to) {
    Map<K, V> batch = newBatch(page);
    for (long key = from; key < to; key++) {
      batch.put(key(key), value((int) (key % records.size())));
      if (batch.size() == page || key == to - 1) {
        load(batch);
        batch.clear();
      }
    }
  }

  @Override
  public ContentDigest digest() {
    return contents().digest();
  }

  @Override
  public ScannedContents contents() {
    return new ScannedContents(
        records, this::scan, key -> Optional.ofNullable(read(key(key))).map(this::fields));
  }

  @Override
  public void close() {}
}
