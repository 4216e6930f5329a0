package io.pyrometer.microbenchmark.trace;

import java.util.LinkedHashMap;
import java.util.Map;

/** The hits of exact LRU, which every textbook compares with. */
public final class LeastRecentlyUsed {
  private LeastRecentlyUsed() {}

  /**
   * The hits on a trace with a cache that is empty at first.
   *
   * @param capacity entries that the cache may hold, at least 1
   */
  public static long hits(Trace trace, int capacity) {
    Map<Integer, Boolean> held =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > capacity;
          }
        };
    long hits = 0;
    for (int i = 0; i < trace.requests(); i++) {
      if (held.put(trace.key(i), true) != null) {
        hits++;
      }
    }
    return hits;
  }
}
