package io.pyrometer.driver.ehcache;

import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.jmh.LocalCacheDriver;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.ResourceType;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.spi.loaderwriter.CacheLoaderWriter;
import org.jspecify.annotations.Nullable;

/** Ehcache 3 with a heap tier that is bounded by a number of entries. */
public final class EhcacheDriver extends LocalCacheDriver {

  /** Found by {@link java.util.ServiceLoader}. */
  public EhcacheDriver() {
    super(
        "ehcache",
        "Ehcache",
        versionOf(Cache.class),
        "Ehcache 3 with a heap tier of a number of entries, by reference; evicts the least"
            + " recently used of a sample.");
  }

  @Override
  protected CacheUnderTest open(CacheSpec spec) {
    CacheConfigurationBuilder<Integer, Integer> configuration =
        CacheConfigurationBuilder.newCacheConfigurationBuilder(
            Integer.class, Integer.class, ResourcePoolsBuilder.heap(spec.bound()));
    if (spec.loader().isPresent()) {
      configuration = configuration.withLoaderWriter(new Loading(spec.loader().get()));
    }
    CacheManager manager =
        CacheManagerBuilder.newCacheManagerBuilder()
            .withCache(spec.name(), configuration)
            .build(true);
    return new Bounded(manager, manager.getCache(spec.name(), Integer.class, Integer.class));
  }

  private record Loading(CacheSpec.Loader loader) implements CacheLoaderWriter<Integer, Integer> {
    @Override
    public Integer load(Integer key) {
      return loader.load(key);
    }

    @Override
    public Map<Integer, Integer> loadAll(Iterable<? extends Integer> keys) {
      return loader.loadAll(keys);
    }

    @Override
    public void write(Integer key, Integer value) {}

    @Override
    public void delete(Integer key) {}
  }

  private record Bounded(CacheManager manager, Cache<Integer, Integer> cache)
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
      return cache.get(key);
    }

    @Override
    public Map<Integer, Integer> getAllOrLoad(Set<Integer> keys) {
      return cache.getAll(keys);
    }

    @Override
    public void forEach(BiConsumer<Integer, Integer> entry) {
      for (Cache.Entry<Integer, Integer> each : cache) {
        entry.accept(each.getKey(), each.getValue());
      }
    }

    /** By counting: Ehcache reports the number in its statistics only. */
    @Override
    public long size() {
      long size = 0;
      for (Cache.Entry<Integer, Integer> unused : cache) {
        size++;
      }
      return size;
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of(
          "cache.heap",
          String.valueOf(
              cache
                  .getRuntimeConfiguration()
                  .getResourcePools()
                  .getPoolForResource(ResourceType.Core.HEAP)));
    }

    @Override
    public void close() {
      manager.close();
    }
  }
}
