package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.port.CachePort;
import io.pyrometer.driver.ignite.port.ThickPort;
import io.pyrometer.driver.ignite.port.ThinPort;
import org.apache.ignite.IgniteCache;

/** The kind of client that a path calls the cache through. */
enum Client {
  /** A node of the cluster without data: the agent's own, shared by its load threads. */
  THICK {
    @Override
    CachePort open(Surroundings surroundings, boolean binary) {
      IgniteCache<Long, Object> cache = surroundings.ignite().cache(surroundings.cacheName());
      return new ThickPort(binary ? cache.withKeepBinary() : cache);
    }
  },

  /** A client outside the cluster: one for each load thread. */
  THIN {
    @Override
    CachePort open(Surroundings surroundings, boolean binary) {
      return ThinPort.connect(surroundings.thin().next(), surroundings.cacheName(), binary);
    }
  };

  /**
   * @param binary whether values are taken and given as binary objects
   */
  abstract CachePort open(Surroundings surroundings, boolean binary);
}
