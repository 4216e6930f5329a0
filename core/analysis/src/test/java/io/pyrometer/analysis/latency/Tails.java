package io.pyrometer.analysis.latency;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Made-up calls. */
public final class Tails {
  private Tails() {}

  /** Heavy-tailed calls (Pareto of index 2.5) with a level of the block, in buckets of 3 %. */
  public static LatencyCounts calls(int n, double level, Random random) {
    Map<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      double x = 100 * Math.exp(level) * Math.pow(random.nextDouble(), -1 / 2.5);
      long bucket = Math.round(Math.exp(Math.round(Math.log(x) / 0.03) * 0.03));
      counts.merge(bucket, 1L, Long::sum);
    }
    return Counts.of(counts, LatencyCounts.Timing.INTENDED_START);
  }
}
