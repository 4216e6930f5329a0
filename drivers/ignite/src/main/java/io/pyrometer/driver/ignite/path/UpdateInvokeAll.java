package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.cache.processor.EntryProcessor;

/**
 * Has a field of many records changed where they lie, a value of its own for each. The maps are
 * sorted where the cache is transactional; see {@link Batches}.
 */
final class UpdateInvokeAll extends UpdatePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.update(
                  "update-invoke-all",
                  Guarantee.OF_MANY,
                  "cache.invokeAll of an entry processor for each record, one batch after the other.",
                  PathDescriptions.UPDATE_ON.description(),
                  PathSettings.batch(1_000),
                  PathDescriptions.MAP.description())
              .sendingClasses(),
          (context, lane) -> new UpdateInvokeAll(context));

  private final boolean sorted;

  private UpdateInvokeAll(PathContext context) {
    super(context, context.settings().get(PathSettings.BATCH), "invoke-all");
    sorted = Batches.sorted(context);
  }

  @Override
  public void call(Call call) {
    Map<Long, EntryProcessor<Long, Object, Boolean>> batch =
        sorted ? new TreeMap<>() : new HashMap<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      batch.put(call.key(i), update.processor(call.record(i)));
    }
    cache.invokeAll(batch).forEach((key, there) -> HitCheck.check(key, there.get()));
    call.done();
  }
}
