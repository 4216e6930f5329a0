package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;

/**
 * Writes one record a call, many calls in flight. Those of a thin client a server's threads may
 * carry out in another order.
 */
final class PutAsync extends WritePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.write(
              "put-async",
              Guarantee.OF_ONE,
              "cache.putAsync, a window of single records in flight.",
              PathSettings.inFlight(400)),
          (context, lane) -> new PutAsync(context, ClientType.THICK));

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.write(
                  "thin-put-async",
                  PathDescriptions.UNORDERED,
                  "A thin client's putAsync, a window of single records in flight.",
                  PathSettings.inFlight(400))),
          (context, lane) -> new PutAsync(context, ClientType.THIN));

  private PutAsync(PathContext context, ClientType client) {
    super(context, client, context.settings().get(PathSettings.IN_FLIGHT), 1, "put");
  }

  @Override
  public void call(Call call) {
    cache.putAsync(call.key(0), values.get(call.record(0)), call);
  }
}
