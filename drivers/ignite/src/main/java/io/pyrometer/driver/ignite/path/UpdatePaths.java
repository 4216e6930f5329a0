package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.update;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.FieldChange;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import javax.cache.processor.EntryProcessor;
import org.apache.ignite.IgniteCache;

/** Paths that change one field of existing records. */
final class UpdatePaths {
  /** Guarantee of reading and writing back: what another writer puts in between is lost. */
  private static final Guarantee READ_THEN_WRITE = new Guarantee(true, true, true, false);

  private static final SettingKey<String> UPDATE_ON =
      SettingKey.choice("update-on", Scope.LOAD, "binary", "object")
          .meaning("What is updated: a binary object, or an object of the record's class.");

  static final List<IgnitePath> DEFINITIONS =
      List.of(
          new IgnitePath(
              update(
                      "update-put",
                      READ_THEN_WRITE,
                      "cache.get, a field changed in the client, cache.put.",
                      UPDATE_ON)
                  .asPlainest()
                  .recordedAs("update"),
              trial -> single(trial, UpdatePaths::put)),
          new IgnitePath(
              update(
                      "update-invoke",
                      Guarantee.OF_ONE,
                      "cache.invoke of an entry processor, one record after the other.",
                      UPDATE_ON)
                  .sendingClasses()
                  .recordedAs("invoke"),
              trial -> single(trial, IgniteCache::invoke)),
          new IgnitePath(
              update(
                      "update-invoke-all",
                      Guarantee.OF_MANY,
                      "cache.invokeAll of an entry processor for each record, one batch after the"
                          + " other.",
                      UPDATE_ON,
                      PathSettings.batch(1_000),
                      IgniteTrial.MAP)
                  .sendingClasses()
                  .recordedAs("invoke-all"),
              UpdatePaths::invokeAll));

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
    return trial.ignite().cache(trial.cacheName());
  }

  /** Changes of the updated field to the value that the record of an index has. */
  private static IntFunction<FieldChange> changes(IgniteTrial trial) {
    RecordShape shape = trial.records().shape();
    int field = Update.field(shape, trial.settings());
    String name = shape.fields().get(field).name();
    Object[][] fields = trial.stock().fields();
    return record -> FieldChange.set(name, fields[record][field]);
  }
}
