package io.pyrometer.jmh;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Settings that a cache is made with.
 *
 * @param name unique in its JVM and grid
 * @param bound entries that the cache may hold, where its product bounds it by entries
 * @param loader what loads absent values; empty where nothing is loaded
 */
public record CacheSpec(String name, int bound, Optional<Loader> loader) {

  /** Loads values. Safe for several threads. */
  @FunctionalInterface
  public interface Loader {

    /** The value of an absent key. */
    Integer load(Integer key);

    /** The values of absent keys, each once. */
    default Map<Integer, Integer> loadAll(Iterable<? extends Integer> keys) {
      Map<Integer, Integer> values = new HashMap<>();
      keys.forEach(key -> values.put(key, load(key)));
      return values;
    }
  }
}
