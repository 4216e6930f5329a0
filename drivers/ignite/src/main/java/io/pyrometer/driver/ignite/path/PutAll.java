package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.IgniteCache;

/** Writes a batch of records a call and waits for it. */
final class PutAll implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "put-all",
              Described.MANY,
              "cache.putAll, one batch after the other.",
              Described.batch(10_000),
              Described.map()),
          PutAll::new);

  private final Values values;
  private final IgniteCache<Long, Object> cache;
  private final Batches batches;
  private final int batch;

  PutAll(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    cache = surroundings.cacheFor(values);
    batches = new Batches(surroundings);
    batch = surroundings.settings().integer("batch");
  }

  @Override
  public int window() {
    return 1;
  }

  @Override
  public int recordsPerCall() {
    return batch;
  }

  @Override
  public List<String> operations() {
    return List.of("put-all");
  }

  @Override
  public void call(Call call) {
    cache.putAll(batches.of(call, values));
    call.done();
  }
}
