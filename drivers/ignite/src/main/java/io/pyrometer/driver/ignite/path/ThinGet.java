package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import io.pyrometer.protocol.Aggregate;
import java.util.List;
import org.apache.ignite.client.ClientCache;

/** Fetches one record a call through a thin client. */
final class ThinGet implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.aggregate(
              "thin-get",
              "A thin client's get of every key, one after the other.",
              Described.partitionAwareness()),
          ThinGet::new);

  private final Thin thin;
  private final ClientCache<Long, Object> cache;
  private final Highest highest;

  ThinGet(Surroundings surroundings, Lane lane) {
    thin = Thin.connect(surroundings);
    cache = thin.binaryCache();
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

  @Override
  public void close() {
    thin.close();
  }
}
