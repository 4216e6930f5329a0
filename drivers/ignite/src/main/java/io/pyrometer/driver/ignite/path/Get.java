package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/** Fetches one record a call. */
final class Get extends ReadPath {
  static final Kind KIND =
      new Kind(
          Described.plainest(
              Described.aggregate("get", "cache.get of every key, one after the other.")),
          (surroundings, lane) -> new Get(surroundings, Client.THICK));

  /** The same through a near cache, which keeps what was fetched in the client. */
  static final Kind NEAR =
      new Kind(
          Described.aggregate(
              "near-get", "cache.get of every key through a near cache in the client."),
          (surroundings, lane) -> new Get(surroundings, Client.THICK),
          Kind.Cache.NEAR);

  static final Kind THIN =
      new Kind(
          Described.thin(
              Described.aggregate(
                  "thin-get", "A thin client's get of every key, one after the other.")),
          (surroundings, lane) -> new Get(surroundings, Client.THIN));

  private Get(Surroundings surroundings, Client client) {
    super(surroundings, client, 1, "get");
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
