package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.IgniteCache;

/** Writes one record a call, many calls in flight. */
final class PutAsync implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "put-async",
              Described.ONE,
              "cache.putAsync, a window of single records in flight.",
              Described.inFlight(400)),
          PutAsync::new);

  private final Values values;
  private final IgniteCache<Long, Object> cache;
  private final int inFlight;

  PutAsync(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    cache = surroundings.cacheFor(values);
    inFlight = surroundings.settings().integer("in-flight");
  }

  @Override
  public int window() {
    return inFlight;
  }

  @Override
  public int recordsPerCall() {
    return 1;
  }

  @Override
  public List<String> operations() {
    return List.of("put");
  }

  @Override
  public void call(Call call) {
    Ends.tell(cache.putAsync(call.key(0), values.get(call.record(0))), call);
  }
}
