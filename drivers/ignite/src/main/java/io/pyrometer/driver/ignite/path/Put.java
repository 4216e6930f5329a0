package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;

/** Writes one record a call and waits for it. */
final class Put extends WritePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.write("put", Guarantee.OF_ONE, "cache.put, one record after the other.")
              .asPlainest(),
          (context, lane) -> new Put(context, ClientType.THICK));

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.write(
                  "thin-put",
                  Guarantee.OF_ONE,
                  "A thin client's put, one record after the other.")),
          (context, lane) -> new Put(context, ClientType.THIN));

  private Put(PathContext context, ClientType client) {
    super(context, client, 1, 1, "put");
  }

  @Override
  public void call(Call call) {
    cache.put(call.key(0), values.get(call.record(0)));
    call.done();
  }
}
