package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.driver.ignite.node.Sentences;
import io.pyrometer.grid.GridException;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;

/** A thin client of one load thread, with its own connections. */
final class Thin implements AutoCloseable {
  private final IgniteClient client;
  private final String cacheName;

  private Thin(IgniteClient client, String cacheName) {
    this.client = client;
    this.cacheName = cacheName;
  }

  static Thin connect(Surroundings surroundings) {
    ClientConfiguration configuration =
        new ClientConfiguration()
            .setAddresses(surroundings.client().thinAddresses())
            .setPartitionAwarenessEnabled(surroundings.settings().flag("partition-awareness"));
    try {
      return new Thin(Ignition.startClient(configuration), surroundings.cacheName());
    } catch (ClientException e) {
      throw new GridException("A thin client could not connect: " + Sentences.cause(e) + ".", e);
    }
  }

  /** The cache as seen by code that takes and gives binary objects. */
  ClientCache<Long, Object> binaryCache() {
    return client.<Long, Object>cache(cacheName).withKeepBinary();
  }

  ClientCache<Long, Object> cacheFor(Values values) {
    return values.binary() ? binaryCache() : client.cache(cacheName);
  }

  @Override
  public void close() {
    client.close();
  }
}
