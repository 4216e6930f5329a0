package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/** Writes one record a call and waits for it. */
final class Put extends WritePath {
  static final Kind KIND =
      new Kind(
          Described.plainest(
              Described.write("put", Described.ONE, "cache.put, one record after the other.")),
          (surroundings, lane) -> new Put(surroundings, Client.THICK));

  static final Kind THIN =
      new Kind(
          Described.thin(
              Described.write(
                  "thin-put", Described.ONE, "A thin client's put, one record after the other.")),
          (surroundings, lane) -> new Put(surroundings, Client.THIN));

  private Put(Surroundings surroundings, Client client) {
    super(surroundings, client, 1, 1, "put");
  }

  @Override
  public void call(Call call) {
    cache.put(call.key(0), values.get(call.record(0)));
    call.done();
  }
}
