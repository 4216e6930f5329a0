package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.client.ClientCache;

/** Reads or writes one record a call through a thin client and waits for it. */
final class ThinMixed implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.mix(
              "thin-mixed",
              "A thin client's get and put, one record after the other.",
              Described.partitionAwareness()),
          ThinMixed::new);

  private final Thin thin;
  private final Values values;
  private final ClientCache<Long, Object> cache;

  ThinMixed(Surroundings surroundings, Lane lane) {
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
    return List.of("get", "put");
  }

  @Override
  public void call(Call call) {
    if (call.operation() == Mixed.GET) {
      Misses.check(call.key(0), cache.get(call.key(0)));
    } else {
      cache.put(call.key(0), values.get(call.record(0)));
    }
    call.done();
  }

  @Override
  public void close() {
    thin.close();
  }
}
