package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.client.CacheClient;
import io.pyrometer.driver.ignite.client.ThickCacheClient;
import io.pyrometer.driver.ignite.client.ThinCacheClient;
import org.apache.ignite.IgniteCache;

/** The kind of client that a path calls the cache through. */
enum ClientType {
  /** A node of the cluster without data: the agent's own, shared by its load threads. */
  THICK {
    @Override
    CacheClient open(PathContext context, boolean binary) {
      IgniteCache<Long, Object> cache = context.ignite().cache(context.cacheName());
      return new ThickCacheClient(binary ? cache.withKeepBinary() : cache);
    }
  },

  /** A client outside the cluster: one for each load thread. */
  THIN {
    @Override
    CacheClient open(PathContext context, boolean binary) {
      return ThinCacheClient.connect(context.thin().next(), context.cacheName(), binary);
    }
  };

  /**
   * @param binary whether values are taken and given as binary objects
   */
  abstract CacheClient open(PathContext context, boolean binary);
}
