package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.IgniteCache;

/** Writes a batch of records a call, several calls in flight, which may overtake one another. */
final class PutAllAsync implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "put-all-async",
              Described.UNORDERED,
              "cache.putAllAsync, several batches in flight.",
              Described.batch(10_000),
              Described.inFlight(4),
              Described.map()),
          PutAllAsync::new);

  private final Values values;
  private final IgniteCache<Long, Object> cache;
  private final Batches batches;
  private final int batch;
  private final int inFlight;

  PutAllAsync(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    cache = surroundings.cacheFor(values);
    batches = new Batches(surroundings);
    batch = surroundings.settings().integer("batch");
    inFlight = surroundings.settings().integer("in-flight");
  }

  @Override
  public int window() {
    return inFlight;
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
    Ends.tell(cache.putAllAsync(batches.of(call, values)), call);
  }
}
