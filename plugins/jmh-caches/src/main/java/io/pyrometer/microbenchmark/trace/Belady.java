package io.pyrometer.microbenchmark.trace;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The most hits that any cache can have on a trace: it knows the future, and of the entries that it
 * holds and the one just loaded it gives up the one that is used again last (L. A. Belady, A study
 * of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5(2), 1966). The
 * entry just loaded may be given up at once, as caches with an admission policy do.
 */
public final class Belady {
  private static final int NEVER = Integer.MAX_VALUE;

  private Belady() {}

  /**
   * The hits on a trace with a cache that is empty at first.
   *
   * @param capacity entries that the cache may hold, at least 1
   */
  public static long hits(Trace trace, int capacity) {
    int[] next = nextUses(trace);
    // By key: when the held entry is used again; 0 where the key is not held.
    int[] held = new int[trace.keys()];
    PriorityQueue<Long> lastFirst = new PriorityQueue<>((a, b) -> Long.compare(b, a));
    int size = 0;
    long hits = 0;
    for (int i = 0; i < trace.requests(); i++) {
      int key = trace.key(i);
      if (held[key] > 0) {
        hits++;
      } else {
        size++;
      }
      held[key] = next[i];
      // Older entries of the key in the queue are out of date, and recognised by their time.
      lastFirst.add(entry(next[i], key));
      while (size > capacity) {
        long candidate = lastFirst.remove();
        int of = (int) candidate;
        if (held[of] == (int) (candidate >>> 32)) {
          held[of] = 0;
          size--;
        }
      }
    }
    return hits;
  }

  private static long entry(int nextUse, int key) {
    return ((long) nextUse << 32) | key;
  }

  private static int[] nextUses(Trace trace) {
    int[] next = new int[trace.requests()];
    int[] later = new int[trace.keys()];
    Arrays.fill(later, NEVER);
    for (int i = trace.requests() - 1; i >= 0; i--) {
      next[i] = later[trace.key(i)];
      later[trace.key(i)] = i;
    }
    return next;
  }
}
