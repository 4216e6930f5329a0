package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/** Reads or writes one record a call and waits for it. */
final class Mixed extends WritePath {
  static final Kind KIND =
      new Kind(
          Described.plainest(
              Described.mix("mixed", "cache.get and cache.put, one record after the other.")),
          (surroundings, lane) -> new Mixed(surroundings, Client.THICK));

  static final Kind THIN =
      new Kind(
          Described.thin(
              Described.mix(
                  "thin-mixed", "A thin client's get and put, one record after the other.")),
          (surroundings, lane) -> new Mixed(surroundings, Client.THIN));

  private static final int GET = 0;

  private Mixed(Surroundings surroundings, Client client) {
    super(surroundings, client, 1, 1, "get", "put");
  }

  @Override
  public void call(Call call) {
    if (call.operation() == GET) {
      Misses.check(call, cache.get(call.key(0)) != null);
    } else {
      cache.put(call.key(0), values.get(call.record(0)));
    }
    call.done();
  }
}
