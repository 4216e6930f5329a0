package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Aggregate;
import java.util.function.Consumer;

/** A path whose every call covers all records. */
final class WholeSet extends WaitingPath {
  private final Highest highest;
  private final Consumer<Highest> pass;

  /**
   * @param pass shows all records to what it is given, or merges what it knows of them
   */
  WholeSet(String operation, Surroundings surroundings, Consumer<Highest> pass) {
    super(surroundings.allRecords(), operation);
    this.highest = new Highest(surroundings.aggregated());
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
