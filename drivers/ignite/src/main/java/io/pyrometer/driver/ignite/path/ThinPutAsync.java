package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.client.ClientCache;

/**
 * Writes one record a call through a thin client, many calls in flight, which a server's threads
 * may carry out in another order.
 */
final class ThinPutAsync implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "thin-put-async",
              Described.UNORDERED,
              "A thin client's putAsync, a window of single records in flight.",
              Described.inFlight(400),
              Described.partitionAwareness()),
          ThinPutAsync::new);

  private final Thin thin;
  private final Values values;
  private final ClientCache<Long, Object> cache;
  private final int inFlight;

  ThinPutAsync(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    thin = Thin.connect(surroundings);
    cache = thin.cacheFor(values);
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

  @Override
  public void close() {
    thin.close();
  }
}
