package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Maxima;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Aggregate;
import java.util.function.Consumer;

/** A path whose every call covers all records. */
final class AggregatePath extends SynchronousPath {
  private final Maxima highest;
  private final Consumer<Maxima> pass;

  /**
   * @param pass shows all records to what it is given, or merges what it knows of them
   */
  AggregatePath(String operation, PathContext context, Consumer<Maxima> pass) {
    super(context.allRecords(), operation);
    this.highest = new Maxima(context.aggregated());
    this.pass = pass;
  }

  @Override
  public boolean wholeSet() {
    return true;
  }

  @Override
  public void call(Call call) {
    pass.accept(highest);
    call.done();
  }

  @Override
  public Aggregate takeAnswer() {
    return highest.take();
  }
}
