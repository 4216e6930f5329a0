package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.FieldChange;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import javax.cache.processor.EntryProcessor;
import org.apache.ignite.IgniteCache;

/** Paths that change one field of existing records. */
final class UpdatePaths {
  private static final SettingKey<String> UPDATE_ON = GridSettings.DECLARED.text("update-on");

  static final List<IgnitePath> DEFINITIONS =
      List.of(
          new IgnitePath("update-put", trial -> single(trial, UpdatePaths::put)),
          new IgnitePath("update-invoke", trial -> single(trial, IgniteCache::invoke)),
          new IgnitePath("update-invoke-all", UpdatePaths::invokeAll));

  private UpdatePaths() {}

  /** Changes one record. */
  @FunctionalInterface
  private interface Single {

    /** Returns whether the record exists. */
    boolean change(IgniteCache<Long, Object> cache, Long key, FieldChange change);
  }

  private static boolean put(IgniteCache<Long, Object> cache, Long key, FieldChange change) {
    Object found = cache.get(key);
    if (found != null) {
      cache.put(key, change.of(found));
    }
    return found != null;
  }

  private static FunctionPath single(IgniteTrial trial, Single single) {
    IgniteCache<Long, Object> cache = cache(trial);
    IntFunction<FieldChange> changes = changes(trial);
    return FunctionPath.writing(
        trial.operation(),
        1,
        call ->
            FunctionPath.requireFound(
                call.key(0), single.change(cache, call.key(0), changes.apply(call.record(0)))));
  }

  private static FunctionPath invokeAll(IgniteTrial trial) {
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
}
