package io.pyrometer.driver.guava;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.jmh.LocalCacheDriver;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Guava's cache, bounded by a number of entries. */
public final class GuavaDriver extends LocalCacheDriver {

  /** Found by {@link java.util.ServiceLoader}. */
  public GuavaDriver() {
    super(
        "guava",
        "Guava cache",
        versionOf(CacheBuilder.class),
        "Guava's cache with a maximum size; evicts by LRU in each of its segments.");
  }

  @Override
  protected CacheUnderTest open(CacheSpec spec) {
    CacheSpec.Loader loader = spec.loader().orElse(key -> key);
    return new Bounded(
        CacheBuilder.newBuilder()
            .maximumSize(spec.bound())
            .build(
                new CacheLoader<Integer, Integer>() {
                  @Override
                  public Integer load(Integer key) {
                    return loader.load(key);
                  }

                  @Override
                  public Map<Integer, Integer> loadAll(Iterable<? extends Integer> keys) {
                    return loader.loadAll(keys);
                  }
                }),
        spec.bound());
  }

  private record Bounded(LoadingCache<Integer, Integer> cache, int bound)
      implements CacheUnderTest {
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
      return cache.getUnchecked(key);
    }

    @Override
    public Map<Integer, Integer> getAllOrLoad(Set<Integer> keys) {
      try {
        return cache.getAll(keys);
      } catch (ExecutionException failure) {
        throw new IllegalStateException(failure);
      }
    }

    @Override
    public void forEach(BiConsumer<Integer, Integer> entry) {
      for (Map.Entry<Integer, Integer> each : cache.asMap().entrySet()) {
        entry.accept(each.getKey(), each.getValue());
      }
    }

    @Override
    public long size() {
      cache.cleanUp();
      return cache.size();
    }

    /** As requested: Guava's cache does not report its bound. */
    @Override
    public Map<String, String> configuration() {
      return Map.of("cache.maximum-size", bound + " (as requested)");
    }
  }
}
