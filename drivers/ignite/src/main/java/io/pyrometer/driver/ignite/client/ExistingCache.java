package io.pyrometer.driver.ignite.client;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.IgniteErrors;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * A cache that is not Pyrometer's, which can be read and nothing else. Keys and values are binary
 * objects.
 */
public interface ExistingCache extends AutoCloseable {

  /** The record of a key, or null where there is none. */
  @Nullable Object get(Object key);

  /** The records of those keys that have one. */
  Map<Object, Object> getAll(Set<Object> keys);

  /** Gives back what this client alone holds. */
  @Override
  void close();

  /** Through a node of the cluster without data. */
  static ExistingCache thick(Ignite ignite, String name) {
    IgniteCache<Object, Object> cache = ignite.cache(name).withKeepBinary();
    return new ExistingCache() {
      @Override
      public @Nullable Object get(Object key) {
        return cache.get(key);
      }

      @Override
      public Map<Object, Object> getAll(Set<Object> keys) {
        return cache.getAll(keys);
      }

      @Override
      public void close() {}
    };
  }

  /**
   * Through a client outside the cluster.
   *
   * @throws GridException if it cannot connect
   */
  static ExistingCache thin(ClientConfiguration configuration, String name) {
    try {
      IgniteClient client = Ignition.startClient(configuration);
      ClientCache<Object, Object> cache = client.cache(name).withKeepBinary();
      return new ExistingCache() {
        @Override
        public @Nullable Object get(Object key) {
          return cache.get(key);
        }

        @Override
        public Map<Object, Object> getAll(Set<Object> keys) {
          return cache.getAll(keys);
        }

        @Override
        public void close() {
          client.close();
        }
      };
    } catch (ClientException e) {
      throw new GridException("A thin client could not connect: " + IgniteErrors.cause(e) + ".", e);
    }
  }
}
