package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.cache.processor.EntryProcessor;

/**
 * Has a field of many records changed where they lie, a value of its own for each. The maps are
 * sorted where the cache is transactional; see {@link Batches}.
 */
final class UpdateInvokeAll extends UpdatePath {
  static final Kind KIND =
      new Kind(
          Described.update(
              "update-invoke-all",
              Described.MANY,
              "cache.invokeAll of an entry processor for each record, one batch after the other.",
              Described.updateOn(),
              Described.batch(1_000),
              Described.map()),
          (surroundings, lane) -> new UpdateInvokeAll(surroundings));

  private final boolean sorted;

  private UpdateInvokeAll(Surroundings surroundings) {
    super(surroundings, surroundings.settings().integer("batch"), "invoke-all");
    surroundings.requireOurServers();
    sorted = Batches.sorted(surroundings);
  }

  @Override
  public void call(Call call) {
    Map<Long, EntryProcessor<Long, Object, Boolean>> batch =
        sorted ? new TreeMap<>() : new HashMap<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      batch.put(call.key(i), update.processor(call.record(i)));
    }
    cache.invokeAll(batch).forEach((key, there) -> Misses.check(key, there.get()));
    call.done();
  }
}
