package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/** Has a field of a record changed where the record lies. */
final class UpdateInvoke extends UpdatePath {
  static final Kind KIND =
      new Kind(
          Described.update(
              "update-invoke",
              Described.ONE,
              "cache.invoke of an entry processor, one record after the other.",
              Described.updateOn()),
          (surroundings, lane) -> new UpdateInvoke(surroundings));

  private UpdateInvoke(Surroundings surroundings) {
    super(surroundings, 1, "invoke");
    surroundings.requireOurServers();
  }

  @Override
  public void call(Call call) {
    long key = call.key(0);
    Misses.check(key, cache.invoke(key, update.processor(call.record(0))));
    call.done();
  }
}
