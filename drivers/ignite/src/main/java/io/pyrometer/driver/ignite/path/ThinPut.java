package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.client.ClientCache;

/** Writes one record a call through a thin client and waits for it. */
final class ThinPut implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "thin-put",
              Described.ONE,
              "A thin client's put, one record after the other.",
              Described.partitionAwareness()),
          ThinPut::new);

  private final Thin thin;
  private final Values values;
  private final ClientCache<Long, Object> cache;

  ThinPut(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    thin = Thin.connect(surroundings);
    cache = thin.cacheFor(values);
  }

  @Override
  public int window() {
    return 1;
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
    cache.put(call.key(0), values.get(call.record(0)));
    call.done();
  }

  @Override
  public void close() {
    thin.close();
  }
}
