package io.pyrometer.jmh;

import java.util.Map;

/**
 * Makes a product's caches in the JVM of a benchmark, found by {@link java.util.ServiceLoader}; its
 * class path holds one product alone.
 */
@FunctionalInterface
public interface CacheProvider {

  /**
   * Starts what the caches of one JVM share, such as a node or a client of a grid.
   *
   * @throws io.pyrometer.driver.GridException with one sentence if that fails
   */
  Caches start(BenchmarkSpec spec);

  /** Makes caches, one after the other. */
  interface Caches extends AutoCloseable {

    /** Makes an empty cache; the one before is closed then. */
    CacheUnderTest open(CacheSpec spec);

    /** Configuration of the product, as it tells of it itself. */
    default Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    default void close() {}
  }
}
