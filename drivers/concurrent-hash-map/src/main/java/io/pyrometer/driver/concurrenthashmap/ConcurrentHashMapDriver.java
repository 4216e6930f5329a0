package io.pyrometer.driver.concurrenthashmap;

import io.pyrometer.jmh.Benchmark;
import io.pyrometer.jmh.CacheSpec;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.jmh.LocalCacheDriver;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The JDK's ConcurrentHashMap: what a cache within a JVM costs without bound, expiry and count. */
public final class ConcurrentHashMapDriver extends LocalCacheDriver {

  /** Found by {@link java.util.ServiceLoader}. */
  public ConcurrentHashMapDriver() {
    super(
        "concurrent-hash-map",
        "ConcurrentHashMap",
        System.getProperty("java.version"),
        "The JDK's ConcurrentHashMap, which has no bound; the reference for caches.",
        Benchmark.LOAD_ZIPF,
        Benchmark.LOAD_BULK);
  }

  @Override
  protected boolean isReference() {
    return true;
  }

  @Override
  protected CacheUnderTest open(CacheSpec spec) {
    return new MapUnderTest(new ConcurrentHashMap<>());
  }

  private record MapUnderTest(ConcurrentMap<Integer, Integer> map) implements CacheUnderTest {
    @Override
    public @Nullable Integer get(Integer key) {
      return map.get(key);
    }

    @Override
    public void put(Integer key, Integer value) {
      map.put(key, value);
    }

    @Override
    public void forEach(BiConsumer<Integer, Integer> entry) {
      map.forEach(entry);
    }

    @Override
    public long size() {
      return map.size();
    }
  }
}
