package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Settings;

/** Writes a batch of records a call, several calls in flight, which may overtake one another. */
final class PutAllAsync extends WritePath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "put-all-async",
              Described.UNORDERED,
              "cache.putAllAsync, several batches in flight.",
              Described.batch(10_000),
              Described.inFlight(4),
              Described.map()),
          (surroundings, lane) -> new PutAllAsync(surroundings, Client.THICK));

  static final Kind THIN =
      new Kind(
          Described.thin(
              Described.write(
                  "thin-put-all-async",
                  Described.UNORDERED,
                  "A thin client's putAllAsync, several batches in flight.",
                  Described.batch(10_000),
                  Described.inFlight(4),
                  Described.map())),
          (surroundings, lane) -> new PutAllAsync(surroundings, Client.THIN));

  private final Batches batches;

  private PutAllAsync(Surroundings surroundings, Client client) {
    this(surroundings, client, surroundings.settings());
  }

  private PutAllAsync(Surroundings surroundings, Client client, Settings settings) {
    super(
        surroundings, client, settings.integer("in-flight"), settings.integer("batch"), "put-all");
    batches = new Batches(surroundings);
  }

  @Override
  public void call(Call call) {
    cache.putAllAsync(batches.of(call, values), call);
  }
}
