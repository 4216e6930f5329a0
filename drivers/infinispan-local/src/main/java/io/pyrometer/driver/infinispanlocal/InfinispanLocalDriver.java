package io.pyrometer.driver.infinispanlocal;

import io.pyrometer.jmh.Benchmark;
import io.pyrometer.jmh.BenchmarkSpec;
import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.jmh.LocalCacheDriver;
import java.util.Map;
import java.util.function.BiConsumer;
import org.infinispan.Cache;
import org.infinispan.commons.api.CacheContainerAdmin.AdminFlag;
import org.infinispan.commons.util.Version;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.MemoryConfiguration;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.eviction.EvictionStrategy;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManagerAdmin;
import org.jspecify.annotations.Nullable;

/** Infinispan with one local cache that is bounded by a number of entries. */
public final class InfinispanLocalDriver extends LocalCacheDriver {

  /** Found by {@link java.util.ServiceLoader}. */
  public InfinispanLocalDriver() {
    super(
        "infinispan-local",
        "Infinispan (local cache)",
        Version.getVersion(),
        "Infinispan without a cluster: a local cache of objects on the heap with a maximum"
            + " count; evicts by its bounded container.",
        Benchmark.LOAD_BULK);
  }

  @Override
  public Caches start(BenchmarkSpec spec) {
    DefaultCacheManager manager =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    return new Caches() {
      @Override
      public CacheUnderTest open(CacheSpec cache) {
        return InfinispanLocalDriver.open(manager, cache);
      }

      @Override
      public void close() {
        manager.stop();
      }
    };
  }

  @Override
  protected CacheUnderTest open(CacheSpec spec) {
    throw new IllegalStateException("Caches belong to a manager.");
  }

  private static CacheUnderTest open(DefaultCacheManager manager, CacheSpec spec) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.memory().maxCount(spec.bound()).whenFull(EvictionStrategy.REMOVE);
    Cache<Integer, Integer> cache =
        volatileCaches(manager).createCache(spec.name(), configuration.build());
    return new Bounded(manager, cache, spec.loader().orElse(key -> key));
  }

  /** Caches that are not to outlive their manager, which keeps no state in files. */
  private static EmbeddedCacheManagerAdmin volatileCaches(DefaultCacheManager manager) {
    return manager.administration().withFlags(AdminFlag.VOLATILE);
  }

  private record Bounded(
      DefaultCacheManager manager, Cache<Integer, Integer> cache, CacheSpec.Loader loader)
      implements CacheUnderTest {
    @Override
    public @Nullable Integer get(Integer key) {
      return cache.get(key);
    }

    @Override
    public void put(Integer key, Integer value) {
      cache.put(key, value);
    }

    @Override
    public Integer getOrLoad(Integer key) {
      return cache.computeIfAbsent(key, loader::load);
    }

    @Override
    public void forEach(BiConsumer<Integer, Integer> entry) {
      for (Map.Entry<Integer, Integer> each : cache.entrySet()) {
        entry.accept(each.getKey(), each.getValue());
      }
    }

    @Override
    public long size() {
      return cache.size();
    }

    @Override
    public Map<String, String> configuration() {
      MemoryConfiguration memory = cache.getCacheConfiguration().memory();
      return Map.of(
          "cache.maximum-count", String.valueOf(memory.maxCount()),
          "cache.storage", memory.storage().toString());
    }

    @Override
    public void close() {
      volatileCaches(manager).removeCache(cache.getName());
    }
  }
}
