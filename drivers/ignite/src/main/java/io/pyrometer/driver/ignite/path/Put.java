package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.IgniteCache;

/** Writes one record a call and waits for it. */
final class Put implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.plainest(
              Described.write("put", Described.ONE, "cache.put, one record after the other.")),
          Put::new);

  private final Values values;
  private final IgniteCache<Long, Object> cache;

  Put(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    cache = surroundings.cacheFor(values);
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
}
