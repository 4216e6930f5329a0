package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/**
 * Writes one record a call, many calls in flight. Those of a thin client a server's threads may
 * carry out in another order.
 */
final class PutAsync extends WritePath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "put-async",
              Described.ONE,
              "cache.putAsync, a window of single records in flight.",
              Described.inFlight(400)),
          (surroundings, lane) -> new PutAsync(surroundings, Client.THICK));

  static final Kind THIN =
      new Kind(
          Described.thin(
              Described.write(
                  "thin-put-async",
                  Described.UNORDERED,
                  "A thin client's putAsync, a window of single records in flight.",
                  Described.inFlight(400))),
          (surroundings, lane) -> new PutAsync(surroundings, Client.THIN));

  private PutAsync(Surroundings surroundings, Client client) {
    super(surroundings, client, surroundings.settings().integer("in-flight"), 1, "put");
  }

  @Override
  public void call(Call call) {
    cache.putAsync(call.key(0), values.get(call.record(0)), call);
  }
}
