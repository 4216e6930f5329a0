package io.pyrometer.analysis.latency;

import java.util.Map;
import java.util.TreeMap;

/** Latencies of tests. */
final class Counts {
  private Counts() {}

  /** From latencies and how often each was seen. */
  static LatencyCounts of(Map<Long, Long> counts, LatencyCounts.Timing timing) {
    TreeMap<Long, Long> ordered = new TreeMap<>(counts);
    return LatencyCounts.ofOrdered(
        ordered.keySet().stream().mapToLong(Long::longValue).toArray(),
        ordered.values().stream().mapToLong(Long::longValue).toArray(),
        timing);
  }
}
