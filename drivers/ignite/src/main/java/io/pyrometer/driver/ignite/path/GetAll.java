package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** Fetches a batch of records a call. */
final class GetAll extends ReadPath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.read(
              "get-all", "cache.getAll of the keys in batches.", PathSettings.batch(1_000)),
          (context, lane) -> new GetAll(context, ClientType.THICK));

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.read(
                  "thin-get-all",
                  "A thin client's getAll of the keys in batches.",
                  PathSettings.batch(1_000))),
          (context, lane) -> new GetAll(context, ClientType.THIN));

  private final boolean sorted;

  private GetAll(PathContext context, ClientType client) {
    super(context, client, context.settings().get(PathSettings.BATCH), "get-all");
    sorted = context.transactional();
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
