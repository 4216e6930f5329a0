package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.AccessPath;
import java.util.List;
import org.apache.ignite.IgniteCache;

/** A path that changes one field of records that are there, and waits for it. */
abstract class UpdatePath implements AccessPath {
  final FieldUpdate update;
  final IgniteCache<Long, Object> cache;
  private final int batch;
  private final String operation;

  UpdatePath(Surroundings surroundings, int batch, String operation) {
    this.update = new FieldUpdate(surroundings);
    this.cache = update.cache();
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
