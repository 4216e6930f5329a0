package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;

/** Writes a batch of records a call, several calls in flight, which may overtake one another. */
final class PutAllAsync extends WritePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.write(
              "put-all-async",
              PathDescriptions.UNORDERED,
              "cache.putAllAsync, several batches in flight.",
              PathSettings.batch(10_000),
              PathSettings.inFlight(4),
              PathDescriptions.MAP.description()),
          (context, lane) -> new PutAllAsync(context, ClientType.THICK));

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.write(
                  "thin-put-all-async",
                  PathDescriptions.UNORDERED,
                  "A thin client's putAllAsync, several batches in flight.",
                  PathSettings.batch(10_000),
                  PathSettings.inFlight(4),
                  PathDescriptions.MAP.description())),
          (context, lane) -> new PutAllAsync(context, ClientType.THIN));

  private final Batches batches;

  private PutAllAsync(PathContext context, ClientType client) {
    this(context, client, context.settings());
  }

  private PutAllAsync(PathContext context, ClientType client, Settings settings) {
    super(
        context,
        client,
        settings.get(PathSettings.IN_FLIGHT),
        settings.get(PathSettings.BATCH),
        "put-all");
    batches = new Batches(context);
  }

  @Override
  public void call(Call call) {
    cache.putAllAsync(batches.of(call, values), call);
  }
}
