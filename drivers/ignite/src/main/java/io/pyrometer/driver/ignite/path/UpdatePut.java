package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathDescription;

/** Fetches a record, changes a field of it here and writes it back. */
final class UpdatePut extends UpdatePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.update(
                  "update-put",
                  PathDescriptions.READ_THEN_WRITE,
                  "cache.get, a field changed in the client, cache.put.",
                  PathDescriptions.UPDATE_ON.description())
              .asPlainest(),
          (context, lane) -> new UpdatePut(context));

  private UpdatePut(PathContext context) {
    super(context, 1, "update");
  }

  @Override
  public void call(Call call) {
    long key = call.key(0);
    Object there = cache.get(key);
    HitCheck.check(key, there != null);
    cache.put(key, update.in(there, call.record(0)));
    call.done();
  }
}
