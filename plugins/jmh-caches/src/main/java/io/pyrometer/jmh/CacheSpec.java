package io.pyrometer.jmh;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a cache is made with.
 *
 * @param name unique in its JVM and grid
 * @param capacity entries that the cache may hold; empty for a cache without a bound
 * @param loader what loads absent values; empty where nothing is loaded
 */
public record CacheSpec(String name, OptionalInt capacity, Optional<Loader> loader) {

  /** Loads values. Safe for several threads. */
  @FunctionalInterface
  public interface Loader {

    /** The value of an absent key. */
    Integer load(Integer key);

    /** The values of absent keys. */
    default Map<Integer, Integer> loadAll(Set<? extends Integer> keys) {
      Map<Integer, Integer> values = new HashMap<>(keys.size() * 2);
      keys.forEach(key -> values.put(key, load(key)));
      return values;
    }
  }

  /**
   * The bound.
   *
   * @throws IllegalStateException if there is none
   */
  public int bound() {
    return capacity.orElseThrow(() -> new IllegalStateException("The cache has no bound."));
  }

  /**
   * What loads.
   *
   * @throws IllegalStateException if nothing does
   */
  public Loader loading() {
    return loader.orElseThrow(() -> new IllegalStateException("The cache has no loader."));
  }
}
