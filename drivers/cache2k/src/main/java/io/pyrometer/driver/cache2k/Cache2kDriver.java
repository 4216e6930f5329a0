package io.pyrometer.driver.cache2k;

import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.jmh.LocalCacheDriver;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.cache2k.Cache;
import org.cache2k.Cache2kBuilder;
import org.cache2k.CacheEntry;
import org.cache2k.io.BulkCacheLoader;
import org.cache2k.operation.CacheControl;
import org.jspecify.annotations.Nullable;

/** cache2k, bounded by a number of entries, without expiry. */
public final class Cache2kDriver extends LocalCacheDriver {

  /** Found by {@link java.util.ServiceLoader}. */
  public Cache2kDriver() {
    super(
        "cache2k",
        "cache2k",
        versionOf(Cache2kBuilder.class),
        "cache2k with an entry capacity, eternal entries; evicts by Clock-Pro+.");
  }

  @Override
  protected CacheUnderTest open(CacheSpec spec) {
    Cache2kBuilder<Integer, Integer> builder =
        Cache2kBuilder.of(Integer.class, Integer.class)
            .name(spec.name())
            .entryCapacity(spec.bound())
            .eternal(true);
    spec.loader().ifPresent(loader -> builder.bulkLoader(loading(loader)));
    return new Bounded(builder.build());
  }

  private static BulkCacheLoader<Integer, Integer> loading(CacheSpec.Loader loader) {
    return new BulkCacheLoader<>() {
      @Override
      public Map<Integer, Integer> loadAll(Set<? extends Integer> keys) {
        return loader.loadAll(keys);
      }

      @Override
      public Integer load(Integer key) {
        return loader.load(key);
      }
    };
  }

  private record Bounded(Cache<Integer, Integer> cache) implements CacheUnderTest {

    /** Without the loader: {@code get} would load. */
    @Override
    public @Nullable Integer get(Integer key) {
      return cache.peek(key);
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
      for (CacheEntry<Integer, Integer> each : cache.entries()) {
        entry.accept(each.getKey(), each.getValue());
      }
    }

    @Override
    public long size() {
      return cache.asMap().size();
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of(
          "cache.entry-capacity", String.valueOf(CacheControl.of(cache).getEntryCapacity()));
    }

    @Override
    public void close() {
      cache.close();
    }
  }
}
