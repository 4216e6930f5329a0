package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import io.pyrometer.protocol.Aggregate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.ignite.client.ClientCache;

/** Fetches a batch of records a call through a thin client. */
final class ThinGetAll implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.aggregate(
              "thin-get-all",
              "A thin client's getAll of the keys in batches.",
              Described.batch(1_000),
              Described.partitionAwareness()),
          ThinGetAll::new);

  private final Thin thin;
  private final ClientCache<Long, Object> cache;
  private final Highest highest;
  private final int batch;

  ThinGetAll(Surroundings surroundings, Lane lane) {
    thin = Thin.connect(surroundings);
    cache = thin.binaryCache();
    highest = new Highest(surroundings.aggregated());
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
    return List.of("get-all");
  }

  @Override
  public void call(Call call) {
    Set<Long> keys = new TreeSet<>();
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

  @Override
  public void close() {
    thin.close();
  }
}
