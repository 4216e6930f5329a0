package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;

/** Has a field of a record changed where the record lies. */
final class UpdateInvoke extends UpdatePath {
  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.update(
                  "update-invoke",
                  Guarantee.OF_ONE,
                  "cache.invoke of an entry processor, one record after the other.",
                  PathDescriptions.UPDATE_ON.description())
              .sendingClasses(),
          (context, lane) -> new UpdateInvoke(context));

  private UpdateInvoke(PathContext context) {
    super(context, 1, "invoke");
  }

  @Override
  public void call(Call call) {
    long key = call.key(0);
    HitCheck.check(key, cache.invoke(key, update.processor(call.record(0))));
    call.done();
  }
}
