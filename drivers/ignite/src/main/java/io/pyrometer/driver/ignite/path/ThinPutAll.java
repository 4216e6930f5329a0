package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.client.ClientCache;

/** Writes a batch of records a call through a thin client and waits for it. */
final class ThinPutAll implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "thin-put-all",
              Described.MANY,
              "A thin client's putAll, one batch after the other.",
              Described.batch(10_000),
              Described.map(),
              Described.partitionAwareness()),
          ThinPutAll::new);

  private final Thin thin;
  private final Values values;
  private final ClientCache<Long, Object> cache;
  private final Batches batches;
  private final int batch;

  ThinPutAll(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    thin = Thin.connect(surroundings);
    cache = thin.cacheFor(values);
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

  @Override
  public void close() {
    thin.close();
  }
}
