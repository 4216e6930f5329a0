package io.pyrometer.driver.caffeine;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.jmh.LocalCacheDriver;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Caffeine, bounded by a number of entries. */
public final class CaffeineDriver extends LocalCacheDriver {

  /** Found by {@link java.util.ServiceLoader}. */
  public CaffeineDriver() {
    super(
        "caffeine",
        "Caffeine",
        versionOf(Caffeine.class),
        "Caffeine with a maximum size; evicts by Window TinyLFU on the common pool.");
  }

  @Override
  protected CacheUnderTest open(CacheSpec spec) {
    CacheSpec.Loader loader = spec.loader().orElse(key -> key);
    return new Bounded(
        Caffeine.newBuilder()
            .maximumSize(spec.bound())
            .build(
                new CacheLoader<>() {
                  @Override
                  public Integer load(Integer key) {
                    return loader.load(key);
                  }

                  @Override
                  public Map<Integer, Integer> loadAll(Set<? extends Integer> keys) {
                    return loader.loadAll(keys);
                  }
                }));
  }

  private record Bounded(LoadingCache<Integer, Integer> cache) implements CacheUnderTest {
    @Override
    public @Nullable Integer get(Integer key) {
      return cache.getIfPresent(key);
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
      cache.asMap().forEach(entry);
    }

    @Override
    public long size() {
      cache.cleanUp();
      return cache.estimatedSize();
    }

    @Override
    public Map<String, String> configuration() {
      return cache
          .policy()
          .eviction()
          .map(eviction -> Map.of("cache.maximum-size", String.valueOf(eviction.getMaximum())))
          .orElse(Map.of());
    }
  }
}
