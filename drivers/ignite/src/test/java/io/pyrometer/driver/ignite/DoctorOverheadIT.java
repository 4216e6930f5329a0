package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.protocol.HealthReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Overhead of the doctor on the servers that it observes. Their CPU time is compared with that of
 * windows without it while the cluster is idle, where nothing else moves the figure, and then
 * related to what they need for a load.
 */
@Tag("endurance")
class DoctorOverheadIT {
  private static final int PAIRS = 5;

  /** Quantile of Student's distribution with four degrees of freedom, 97.5 %. */
  private static final double QUANTILE = 2.776;

  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final Duration WARM_UP = Duration.ofSeconds(60);
  private static final int THREADS = 2;
  private static final int RATE = Integer.getInteger("doctor.rate", 2_000);
  private static final int KEYS = 10_000;

  @TempDir Path folder;

  @Test
  void theServersCpuTimeForAnObservationIsPrinted() throws Exception {
    try (StockNode first = StockNode.start(folder.resolve("first"));
        StockNode second = StockNode.start(folder.resolve("second"), "", "", Optional.of(first));
        Ignite client = Ignition.start(first.client("application"));
        GridSession observer = new IgniteDriver().openSession(first.attaching())) {
      IgniteCache<Integer, byte[]> cache =
          client.createCache(
              new CacheConfiguration<Integer, byte[]>("measured")
                  .setBackups(1)
                  .setStatisticsEnabled(true));
      List<ProcessHandle> servers =
          Stream.of(first, second).map(node -> ProcessHandle.of(node.pid()).orElseThrow()).toList();
      double loaded = loaded(cache, servers);
      List<Double> costs = new ArrayList<>();
      double firstCost = 0;
      for (int pair = 0; pair <= PAIRS; pair++) {
        double idle = used(servers, () -> TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis()));
        double observed =
            used(
                servers,
                () -> {
                  HealthReport report = observer.examine(WINDOW);
                  assertThat(report.servers()).isEqualTo(2);
                  assertThat(report.healthy()).as("thread dumps were taken").contains("deadlock");
                });
        if (pair == 0) {
          firstCost = observed - idle;
        } else {
          costs.add(observed - idle);
        }
      }
      print(loaded, firstCost, costs);
    }
  }

  /** Mean CPU time of all servers for a window under load, once they are warm. */
  private static double loaded(IgniteCache<Integer, byte[]> cache, List<ProcessHandle> servers)
      throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int thread = 0; thread < THREADS; thread++) {
        threads.execute(() -> offer(cache, ended));
      }
      TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
      return used(servers, () -> TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis()));
    } finally {
      ended.set(true);
      threads.shutdown();
      assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Offers operations at a fixed rate. */
  private static void offer(IgniteCache<Integer, byte[]> cache, AtomicBoolean ended) {
    long interval = TimeUnit.SECONDS.toNanos(THREADS) / RATE;
    long next = System.nanoTime();
    for (int step = 0; !ended.get(); step++) {
      if (step % 2 == 0) {
        cache.put(step % KEYS, new byte[200]);
      } else {
        cache.get((step * 31) % KEYS);
      }
      next += interval;
      while (System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  /** Action that takes a window. */
  private interface Window {
    void pass() throws Exception;
  }

  /** Seconds of CPU time of all servers meanwhile. */
  private static double used(List<ProcessHandle> servers, Window window) throws Exception {
    double before = cpuSeconds(servers);
    window.pass();
    return cpuSeconds(servers) - before;
  }

  private static double cpuSeconds(List<ProcessHandle> servers) {
    return servers.stream()
        .mapToDouble(each -> each.info().totalCpuDuration().orElseThrow().toNanos() / 1e9)
        .sum();
  }

  private static void print(double loaded, double first, List<Double> costs) {
    double mean = costs.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares = costs.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
    double half = QUANTILE * Math.sqrt(squares / (PAIRS - 1) / PAIRS);
    System.out.printf(
        Locale.ROOT,
        "OVERHEAD of an observation of %d s: %.2f s of CPU time of two servers for the first, then"
            + " %.2f s [%.2f, %.2f] over %d pairs: %s%n"
            + "OVERHEAD at %d operations/s the servers need %.2f s: %.1f %% for the first, then"
            + " %.1f %% [%.1f, %.1f]%n",
        WINDOW.toSeconds(),
        first,
        mean,
        mean - half,
        mean + half,
        PAIRS,
        costs,
        RATE,
        loaded,
        100 * first / loaded,
        100 * mean / loaded,
        100 * (mean - half) / loaded,
        100 * (mean + half) / loaded);
  }
}
