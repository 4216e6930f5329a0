package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathDescription;

/** Fetches one record a call. */
final class Get extends ReadPath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.read("get", "cache.get of every key, one after the other.").asPlainest(),
          (context, lane) -> new Get(context, ClientType.THICK));

  /** The same through a near cache, which keeps what was fetched in the client. */
  static final PathDefinition NEAR =
      new PathDefinition(
          PathDescription.read(
              "near-get", "cache.get of every key through a near cache in the client."),
          (context, lane) -> new Get(context, ClientType.THICK),
          PathDefinition.Cache.NEAR);

  static final PathDefinition THIN =
      new PathDefinition(
          PathDescriptions.thin(
              PathDescription.read(
                  "thin-get", "A thin client's get of every key, one after the other.")),
          (context, lane) -> new Get(context, ClientType.THIN));

  private Get(PathContext context, ClientType client) {
    super(context, client, 1, "get");
  }

  @Override
  public void call(Call call) {
    Object record = cache.get(call.key(0));
    if (record != null) {
      highest.see(record);
    }
    call.done();
  }
}
