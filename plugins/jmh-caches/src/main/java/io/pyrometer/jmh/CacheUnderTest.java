package io.pyrometer.jmh;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One cache of a product, of whole numbers under whole numbers. Benchmarks call it as it is: an
 * implementation hands each call to the product's own API and does nothing else. Safe for several
 * threads.
 */
public interface CacheUnderTest extends AutoCloseable {

  /**
   * The value, or null where the cache has none. Not an {@code Optional}, because its allocation
   * would be measured with the cache's own.
   */
  @Nullable Integer get(Integer key);

  void put(Integer key, Integer value);

  /**
   * The value, loaded by the loader of {@link CacheSpec} where it is absent.
   *
   * @throws UnsupportedOperationException if the driver has no benchmark that loads
   */
  default Integer getOrLoad(Integer key) {
    throw new UnsupportedOperationException("This cache does not load.");
  }

  /**
   * The values of all keys; those that are absent are loaded together.
   *
   * @throws UnsupportedOperationException if the driver has no benchmark that loads in bulk
   */
  default Map<Integer, Integer> getAllOrLoad(Set<Integer> keys) {
    throw new UnsupportedOperationException("This cache does not load in bulk.");
  }

  /** Goes through all entries by the product's own means. */
  void forEach(BiConsumer<Integer, Integer> entry);

  /** Puts key {@code i} under value {@code i} for 0 ≤ i &lt; count; not measured. */
  default void fill(int count) {
    for (int i = 0; i < count; i++) {
      put(i, i);
    }
  }

  /**
   * The number of entries, after work that the product does in the background. Not measured, so it
   * may take long.
   */
  long size();

  /**
   * Off-heap bytes of the entries, by the product's own metric; empty where it keeps all entries on
   * the heap.
   */
  default OptionalLong offHeapBytes() {
    return OptionalLong.empty();
  }

  /** The configuration read back from the cache. */
  default Map<String, String> configuration() {
    return Map.of();
  }

  /** Removes the cache; what it shares with others stays. */
  @Override
  default void close() {}
}
