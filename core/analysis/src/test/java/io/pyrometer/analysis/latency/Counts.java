package io.pyrometer.analysis.latency;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Latencies of tests. */
public final class Counts {
  private Counts() {}

  /** From latencies and how often each was seen. */
  static LatencyCounts of(Map<Long, Long> counts) {
    TreeMap<Long, Long> ordered = new TreeMap<>(counts);
    return new LatencyCounts(
        ordered.keySet().stream().mapToLong(Long::longValue).toArray(),
        ordered.values().stream().mapToLong(Long::longValue).toArray());
  }

  /** Pareto-tailed calls of index 2.5 with a level of the block, in buckets of 3 %. */
  public static LatencyCounts heavyTailed(int n, double level, Random random) {
    Map<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      double x = 100 * Math.exp(level) * Math.pow(random.nextDouble(), -1 / 2.5);
      long bucket = Math.round(Math.exp(Math.round(Math.log(x) / 0.03) * 0.03));
      counts.merge(bucket, 1L, Long::sum);
    }
    return of(counts);
  }
}
