package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.client.CacheClient;
import io.pyrometer.driver.ignite.client.ThickCacheClient;
import io.pyrometer.driver.ignite.client.ThinCacheClient;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.configuration.ClientConfiguration;

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
  },

  /** The same, but one that never repeats a write by itself, as Pyrometer's writer demands. */
  THIN_WITHOUT_RETRIES {
    @Override
    CacheClient open(PathContext context, boolean binary) {
      ClientConfiguration once = context.thin().next().setRetryPolicy(new ClientRetryReadPolicy());
      return ThinCacheClient.connect(once, context.cacheName(), binary);
    }
  };

  /**
   * @param binary whether values are taken and given as binary objects
   */
  abstract CacheClient open(PathContext context, boolean binary);
}
