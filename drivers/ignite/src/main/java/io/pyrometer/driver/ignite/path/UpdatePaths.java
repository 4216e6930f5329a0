package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.update;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.FieldChange;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Update;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import javax.cache.processor.EntryProcessor;
import org.apache.ignite.IgniteCache;

/** Paths that change one field of existing records. */
final class UpdatePaths {
  /** What another writer puts between reading and writing back is lost. */
  private static final Guarantee READ_THEN_WRITE = new Guarantee(true, true, true, false);

  private static final SettingKey<String> UPDATE_ON =
      SettingKey.choice("update-on", Scope.LOAD, "binary", "object")
          .meaning("What is updated: a binary object, or an object of the record's class.");

  static final List<PathDefinition> DEFINITIONS =
      List.of(
          new PathDefinition(
              update(
                      "update-put",
                      READ_THEN_WRITE,
                      "cache.get, a field changed in the client, cache.put.",
                      UPDATE_ON.description())
                  .asPlainest(),
              context -> new UpdatePaths(context).put()),
          new PathDefinition(
              update(
                      "update-invoke",
                      Guarantee.OF_ONE,
                      "cache.invoke of an entry processor, one record after the other.",
                      UPDATE_ON.description())
                  .sendingClasses(),
              context -> new UpdatePaths(context).invoke()),
          new PathDefinition(
              update(
                      "update-invoke-all",
                      Guarantee.OF_MANY,
                      "cache.invokeAll of an entry processor for each record, one batch after the"
                          + " other.",
                      UPDATE_ON.description(),
                      PathSettings.batch(1_000),
                      PathContext.MAP.description())
                  .sendingClasses(),
              context -> new UpdatePaths(context).invokeAll()));

  private final PathContext context;
  private final int field;
  private final String name;
  private final Object[][] fields;
  private final IgniteCache<Long, Object> cache;

  private UpdatePaths(PathContext context) {
    this.context = context;
    boolean binary = context.settings().get(UPDATE_ON).equals("binary");
    if (!binary) {
      Class<?> unused = RecordClass.require(context.records().shape());
    }
    field = Update.field(context.records().shape(), context.settings());
    name = context.records().shape().fields().get(field).name();
    fields = context.stock().fields();
    cache = binary ? context.binaryCache() : context.ignite().cache(context.cacheName());
  }

  /** The change of the field to the value that another record has. */
  private FieldChange change(int record) {
    return FieldChange.set(name, fields[record][field]);
  }

  private AccessPath put() {
    return FunctionPath.writing(
        "update",
        1,
        call -> {
          long key = call.key(0);
          Object found = cache.get(key);
          FunctionPath.requireFound(key, found != null);
          cache.put(key, change(call.record(0)).of(found));
        });
  }

  private AccessPath invoke() {
    return FunctionPath.writing(
        "invoke",
        1,
        call ->
            FunctionPath.requireFound(
                call.key(0), cache.invoke(call.key(0), change(call.record(0)))));
  }

  private AccessPath invokeAll() {
    IntFunction<Map<Long, EntryProcessor<Long, Object, Boolean>>> batches = context.batches();
    return FunctionPath.writing(
        "invoke-all",
        context.settings().get(PathSettings.BATCH),
        call -> {
          Map<Long, EntryProcessor<Long, Object, Boolean>> batch = batches.apply(call.size());
          for (int i = 0; i < call.size(); i++) {
            batch.put(call.key(i), change(call.record(i)));
          }
          cache
              .invokeAll(batch)
              .forEach((key, found) -> FunctionPath.requireFound(key, found.get()));
        });
  }
}
