package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.driver.ignite.port.CachePort;
import io.pyrometer.load.AccessPath;
import io.pyrometer.protocol.Aggregate;
import java.util.List;

/** A path that fetches records as binary objects, waits for them and looks at them here. */
abstract class ReadPath implements AccessPath {
  final CachePort cache;
  final Highest highest;
  private final int batch;
  private final String operation;

  ReadPath(Surroundings surroundings, Client client, int batch, String operation) {
    this.cache = client.open(surroundings, true);
    this.highest = new Highest(surroundings.aggregated());
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

  @Override
  public final Aggregate takeAnswer() {
    return highest.take();
  }

  @Override
  public final void close() {
    cache.close();
  }
}
