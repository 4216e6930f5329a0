package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.client.CacheClient;
import io.pyrometer.driver.ignite.data.Maxima;
import io.pyrometer.protocol.Aggregate;

/** A path that fetches records as binary objects, waits for them and looks at them here. */
abstract class ReadPath extends SynchronousPath {
  final CacheClient cache;
  final Maxima highest;

  ReadPath(PathContext context, ClientType client, int batch, String operation) {
    super(batch, operation);
    this.cache = client.open(context, true);
    this.highest = new Maxima(context.aggregated());
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
