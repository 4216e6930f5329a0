package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.AccessPath;
import java.util.List;

/** A path of one operation whose calls end before they return, one after the other. */
abstract class SynchronousPath implements AccessPath {
  private final int batch;
  private final String operation;

  SynchronousPath(int batch, String operation) {
    this.batch = batch;
    this.operation = operation;
  }

  @Override
  public final int window() {
    return 1;
  }

  @Override
  public final int recordsPerCall() {
    return batch;
  }

  @Override
  public final List<String> operations() {
    return List.of(operation);
  }
}
