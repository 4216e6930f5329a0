package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import io.pyrometer.protocol.Aggregate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.ignite.IgniteCache;

/** Fetches a batch of records a call. */
final class GetAll implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.aggregate(
              "get-all", "cache.getAll of the keys in batches.", Described.batch(1_000)),
          GetAll::new);

  private final IgniteCache<Long, Object> cache;
  private final Highest highest;
  private final int batch;
  private final boolean sorted;

  GetAll(Surroundings surroundings, Lane lane) {
    cache = surroundings.binaryCache();
    highest = new Highest(surroundings.aggregated());
    batch = surroundings.settings().integer("batch");
    sorted = surroundings.transactional();
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
    return List.of("get-all");
  }

  @Override
  public void call(Call call) {
    Set<Long> keys = sorted ? new TreeSet<>() : new HashSet<>(call.size() * 4 / 3 + 1);
    for (int i = 0; i < call.size(); i++) {
      keys.add(call.key(i));
    }
    cache.getAll(keys).values().forEach(highest::see);
    call.done();
  }

  @Override
  public Aggregate takeAnswer() {
    return highest.take();
  }
}
