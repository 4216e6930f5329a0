package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;

/** Writes a batch of records a call and waits for it. */
final class PutAll extends WritePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.write(
              "put-all",
              Guarantee.OF_MANY,
              "cache.putAll, one batch after the other.",
              PathSettings.batch(10_000),
              PathDescriptions.MAP.description()),
          (context, lane) -> new PutAll(context, ClientType.THICK));

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.write(
                  "thin-put-all",
                  Guarantee.OF_MANY,
                  "A thin client's putAll, one batch after the other.",
                  PathSettings.batch(10_000),
                  PathDescriptions.MAP.description())),
          (context, lane) -> new PutAll(context, ClientType.THIN));

  private final Batches batches;

  private PutAll(PathContext context, ClientType client) {
    super(context, client, 1, context.settings().get(PathSettings.BATCH), "put-all");
    batches = new Batches(context);
  }

  @Override
  public void call(Call call) {
    cache.putAll(batches.of(call, values));
    call.done();
  }
}
