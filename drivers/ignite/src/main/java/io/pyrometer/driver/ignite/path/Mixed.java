package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import org.apache.ignite.IgniteCache;

/** Reads or writes one record a call and waits for it. */
final class Mixed implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.plainest(
              Described.mix("mixed", "cache.get and cache.put, one record after the other.")),
          Mixed::new);

  static final int GET = 0;

  private final Values values;
  private final IgniteCache<Long, Object> cache;

  Mixed(Surroundings surroundings, Lane lane) {
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
    return List.of("get", "put");
  }

  @Override
  public void call(Call call) {
    if (call.operation() == GET) {
      Misses.check(call.key(0), cache.get(call.key(0)));
    } else {
      cache.put(call.key(0), values.get(call.record(0)));
    }
    call.done();
  }
}
