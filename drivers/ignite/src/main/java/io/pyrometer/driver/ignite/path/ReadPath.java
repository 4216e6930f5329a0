package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Highest;
import io.pyrometer.driver.ignite.port.CachePort;
import io.pyrometer.protocol.Aggregate;

/** A path that fetches records as binary objects, waits for them and looks at them here. */
abstract class ReadPath extends WaitingPath {
  final CachePort cache;
  final Highest highest;

  ReadPath(Surroundings surroundings, Client client, int batch, String operation) {
    super(batch, operation);
    this.cache = client.open(surroundings, true);
    this.highest = new Highest(surroundings.aggregated());
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
