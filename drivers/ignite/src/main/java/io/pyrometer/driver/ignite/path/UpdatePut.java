package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/** Fetches a record, changes a field of it here and writes it back. */
final class UpdatePut extends UpdatePath {
  static final Kind KIND =
      new Kind(
          Described.plainest(
              Described.update(
                  "update-put",
                  Described.READ_THEN_WRITE,
                  "cache.get, a field changed in the client, cache.put.",
                  Described.updateOn())),
          (surroundings, lane) -> new UpdatePut(surroundings));

  private UpdatePut(Surroundings surroundings) {
    super(surroundings, 1, "update");
  }

  @Override
  public void call(Call call) {
    long key = call.key(0);
    Object there = cache.get(key);
    Misses.check(key, there != null);
    cache.put(key, update.in(there, call.record(0)));
    call.done();
  }
}
