package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Aggregate;
import java.util.List;
import java.util.function.Consumer;

/** A path whose every call covers all records. */
final class WholeSet implements AccessPath {
  private final String operation;
  private final int records;
  private final Highest highest;
  private final Consumer<Highest> pass;

  /**
   * @param pass shows all records to what it is given, or merges what it knows of them
   */
  WholeSet(String operation, Surroundings surroundings, Consumer<Highest> pass) {
    this.operation = operation;
    this.records = surroundings.allRecords();
    this.highest = new Highest(surroundings.aggregated());
    this.pass = pass;
  }

  @Override
  public int window() {
    return 1;
  }

  @Override
  public int recordsPerCall() {
    return records;
  }

  @Override
  public List<String> operations() {
    return List.of(operation);
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
