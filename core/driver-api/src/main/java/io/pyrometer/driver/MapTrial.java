package io.pyrometer.driver;

import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents.RecordVisitor;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
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

  protected final LongFunction<K> keys;
  protected final RecordForm<V> form;

  /**
   * A trial.
   *
   * @param trial with complete settings
   * @param maxPageRecords of small records, the number that suits the product
   * @param keys a key as the client takes it
   * @param form the records as the client takes them
   */
  protected MapTrial(
      TrialSpec trial,
      Records records,
      int maxPageRecords,
      LongFunction<K> keys,
      RecordForm<V> form) {
    this.path = trial.path();
    this.settings = trial.settings();
    this.records = records;
    this.page = PageSize.of(records, maxPageRecords);
    this.keys = keys;
    this.form = form;
  }

  /** The failure of a trial whose path the driver does not have. */
  protected final GridException unknownPath() {
    return GridException.of("There is no access path '%s'.", path);
  }

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

  /** The values that one load thread writes, by the index of a record. */
  protected IntFunction<V> values() {
    return form::of;
  }

  /** The name of the operation that the path's calls are recorded as. */
  protected String operation() {
    return path;
  }

  /** Returns whether the grid may drop records of the trial by itself. */
  protected boolean mayDrop() {
    return false;
  }

  /** Adds a record that was read to an aggregate. */
  protected void see(HighestFields highest, V found) {
    highest.see(form.fields(found));
  }

  /** A path that writes one record a call. */
  public final FunctionPath put(BiConsumer<K, V> put) {
    return FunctionPath.writing(operation(), 1, writing(put)).dropping(mayDrop());
  }

  private FunctionPath.Body writing(BiConsumer<K, V> put) {
    IntFunction<V> values = values();
    return call -> put.accept(keys.apply(call.key(0)), values.apply(call.record(0)));
  }

  /**
   * A path that writes one record a call, many calls in flight; the end of a call is reported on
   * the thread that completes its stage.
   */
  public final FunctionPath putAsync(BiFunction<K, V, CompletionStage<?>> put) {
    IntFunction<V> values = values();
    return FunctionPath.asynchronous(
            operation(),
            settings.get(PathSettings.IN_FLIGHT),
            1,
            call -> {
              CompletionStage<?> unused =
                  put.apply(keys.apply(call.key(0)), values.apply(call.record(0)))
                      .whenCompleteAsync(
                          (done, failure) -> FunctionPath.end(call, failure), Runnable::run);
            })
        .dropping(mayDrop());
  }

  /** A path that writes a batch a call. */
  public final FunctionPath putAll(Consumer<Map<K, V>> putAll) {
    IntFunction<V> values = values();
    AtomicLong merged = new AtomicLong();
    return FunctionPath.writing(
            operation(),
            settings.get(PathSettings.BATCH),
            call -> {
              Map<K, V> batch = batch(call, values);
              putAll.accept(batch);
              merged.addAndGet(call.size() - batch.size());
            })
        .merging(merged::get)
        .dropping(mayDrop());
  }

  /** The records of a call in a map, so that of a repeated key the last write remains. */
  public final Map<K, V> batch(Call call, IntFunction<V> values) {
    Map<K, V> batch = newBatch(call.size());
    for (int i = 0; i < call.size(); i++) {
      batch.put(keys.apply(call.key(i)), values.apply(call.record(i)));
    }
    return batch;
  }

  /** A path that reads one key a call. */
  public final FunctionPath get(Function<K, @Nullable V> get) {
    HighestFields highest = highest();
    return FunctionPath.reading(
        operation(),
        1,
        highest::take,
        call -> {
          V found = get.apply(keys.apply(call.key(0)));
          if (found != null) {
            see(highest, found);
          }
        });
  }

  /** A path that reads a batch a call. */
  public final FunctionPath getAll(Function<Set<K>, Map<K, V>> getAll) {
    HighestFields highest = highest();
    return FunctionPath.reading(
        operation(),
        settings.get(PathSettings.BATCH),
        highest::take,
        call -> getAll.apply(wanted(call)).values().forEach(found -> see(highest, found)));
  }

  final Set<K> wanted(Call call) {
    Set<K> wanted = newKeys(call.size());
    for (int i = 0; i < call.size(); i++) {
      wanted.add(keys.apply(call.key(i)));
    }
    return wanted;
  }

  /** A path whose every call reads the whole data set into what it is given. */
  public final FunctionPath wholeSet(Consumer<HighestFields> pass) {
    HighestFields highest = highest();
    return FunctionPath.wholeSet(
        operation(),
        settings.get(CoreSettings.RECORDS).intValue(),
        highest::take,
        call -> pass.accept(highest));
  }

  /**
   * A path that mixes reads and writes of single records with what is added to it.
   *
   * @param writeName the name of the operation that writes where the settings declare no mix
   */
  public final Mix<K, V> mixed(
      String writeName, Function<K, @Nullable V> get, BiConsumer<K, V> put) {
    return new Mix<>(this, writeName, get, put);
  }

  /** The highest values of the fields that the trial aggregates over. */
  public final HighestFields highest() {
    return new HighestFields(records.shape(), settings);
  }

  @Override
  public void fill(long from, long to) {
    Map<K, V> batch = newBatch(page);
    for (long key = from; key < to; key++) {
      batch.put(keys.apply(key), form.of((int) (key % records.size())));
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
        records, this::scan, key -> Optional.ofNullable(read(keys.apply(key))).map(form::fields));
  }

  @Override
  public void close() {}
}
