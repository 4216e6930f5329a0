package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/**
 * Writes for a long time and looks at the heap after a full collection at checkpoints, while
 * nothing is pending. Memory is flat if Mann's test finds no upward trend at 1 %, or if the trend
 * is below one byte in a thousand writes.
 */
final class Soak {
  private static final int CHECKPOINTS = 20;
  private static final double NORMAL_99 = 2.326;

  private final TestCluster cluster;

  Soak(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Returns whether the heap was flat and nothing was lost. */
  boolean run(int seconds) throws Exception {
    VersionedWrites writes = new VersionedWrites(20_000);
    List<Double> heap = new ArrayList<>();
    List<Double> written = new ArrayList<>();
    VersionedWrites.Outcome outcome;
    try (Ignite thick = cluster.thick("client-soak", new TcpDiscoverySpi())) {
      IgniteCache<Long, Object> cache =
          thick.getOrCreateCache(
              new CacheConfiguration<Long, Object>("soak")
                  .setBackups(1)
                  .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC));
      try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
        for (int checkpoint = 0; checkpoint <= CHECKPOINTS; checkpoint++) {
          Thread writing = writes.start(writer);
          Thread.sleep(Math.max(1, seconds * 1_000L / CHECKPOINTS));
          writes.stop(writing);
          writer.flush();
          if (checkpoint > 0) { // the first is the warm-up's
            heap.add(liveBytes());
            written.add((double) writer.stats().finishedEntries() + writer.stats().mergedWrites());
            System.out.printf(
                Locale.ROOT,
                "  checkpoint %d: %.2f MB live, %d threads, %s%n",
                checkpoint,
                heap.get(heap.size() - 1) / (1 << 20),
                Thread.activeCount(),
                writer.stats());
          }
        }
      }
      outcome = writes.outcome(cache);
    }
    double z = mannKendall(heap);
    double slope = slope(written, heap);
    boolean flat = z < NORMAL_99 || slope < 0.001;
    System.out.printf(
        Locale.ROOT,
        "soak of %d s: %s; heap %s: Mann-Kendall z = %.2f, %.6f bytes a write%n",
        seconds,
        outcome,
        flat ? "flat" : "NOT flat",
        z,
        slope);
    return flat && outcome.lost() == 0 && outcome.stale() == 0;
  }

  private static double liveBytes() throws InterruptedException {
    for (int time = 0; time < 3; time++) {
      System.gc();
      Thread.sleep(50);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** The test statistic of Mann (1945) and Kendall for a trend, standard normal without one. */
  static double mannKendall(List<Double> series) {
    int n = series.size();
    long s = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        s += Double.compare(series.get(j), series.get(i));
      }
    }
    double variance = n * (n - 1.0) * (2.0 * n + 5) / 18;
    return s == 0 ? 0 : (s - Math.signum(s)) / Math.sqrt(variance);
  }

  /** The median of the slopes between all pairs of points (Theil and Sen). */
  static double slope(List<Double> x, List<Double> y) {
    List<Double> slopes = new ArrayList<>();
    for (int i = 0; i < x.size(); i++) {
      for (int j = i + 1; j < x.size(); j++) {
        slopes.add((y.get(j) - y.get(i)) / (x.get(j) - x.get(i)));
      }
    }
    return slopes.stream().sorted().skip(slopes.size() / 2).findFirst().orElse(0.0);
  }
}
