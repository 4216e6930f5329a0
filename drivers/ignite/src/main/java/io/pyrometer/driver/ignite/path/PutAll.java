package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/** Writes a batch of records a call and waits for it. */
final class PutAll extends WritePath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "put-all",
              Described.MANY,
              "cache.putAll, one batch after the other.",
              Described.batch(10_000),
              Described.map()),
          (surroundings, lane) -> new PutAll(surroundings, Client.THICK));

  static final Kind THIN =
      new Kind(
          Described.thin(
              Described.write(
                  "thin-put-all",
                  Described.MANY,
                  "A thin client's putAll, one batch after the other.",
                  Described.batch(10_000),
                  Described.map())),
          (surroundings, lane) -> new PutAll(surroundings, Client.THIN));

  private final Batches batches;

  private PutAll(Surroundings surroundings, Client client) {
    super(surroundings, client, 1, surroundings.settings().integer("batch"), "put-all");
    batches = new Batches(surroundings);
  }

  @Override
  public void call(Call call) {
    cache.putAll(batches.of(call, values));
    call.done();
  }
}
