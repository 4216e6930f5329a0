package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** Fetches a batch of records a call. */
final class GetAll extends ReadPath {
  static final Kind KIND =
      new Kind(
          Described.aggregate(
              "get-all", "cache.getAll of the keys in batches.", Described.batch(1_000)),
          (surroundings, lane) -> new GetAll(surroundings, Client.THICK));

  static final Kind THIN =
      new Kind(
          Described.thin(
              Described.aggregate(
                  "thin-get-all",
                  "A thin client's getAll of the keys in batches.",
                  Described.batch(1_000))),
          (surroundings, lane) -> new GetAll(surroundings, Client.THIN));

  private final boolean sorted;

  private GetAll(Surroundings surroundings, Client client) {
    super(surroundings, client, surroundings.settings().integer("batch"), "get-all");
    sorted = surroundings.transactional();
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
}
