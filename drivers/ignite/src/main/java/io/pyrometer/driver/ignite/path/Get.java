package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import io.pyrometer.protocol.Aggregate;
import java.util.List;
import org.apache.ignite.IgniteCache;

/** Fetches one record a call. */
final class Get implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.plainest(
              Described.aggregate("get", "cache.get of every key, one after the other.")),
          Get::new);

  /** The same through a near cache, which keeps what was fetched in the client. */
  static final Kind NEAR =
      new Kind(
          Described.aggregate(
              "near-get", "cache.get of every key through a near cache in the client."),
          Get::new,
          Kind.Cache.NEAR);

  private final IgniteCache<Long, Object> cache;
  private final Highest highest;

  Get(Surroundings surroundings, Lane lane) {
    cache = surroundings.binaryCache();
    highest = new Highest(surroundings.aggregated());
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
    return List.of("get");
  }

  @Override
  public void call(Call call) {
    Object record = cache.get(call.key(0));
    if (record != null) {
      highest.see(record);
    }
    call.done();
  }

  @Override
  public Aggregate takeAnswer() {
    return highest.take();
  }
}
