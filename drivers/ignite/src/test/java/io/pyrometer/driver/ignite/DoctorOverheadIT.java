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
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Overhead of the doctor on the servers that it observes. Their CPU time is compared with that of
 * windows without it while the cluster is idle, where nothing else moves the figure.
 */
@Tag("endurance")
class DoctorOverheadIT {
  private static final int PAIRS = 5;

  /** Quantile of Student's distribution with four degrees of freedom, 97.5 %. */
  private static final double QUANTILE = 2.776;

  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final int KEYS = 10_000;

  @TempDir Path folder;

  @Test
  void theServersCpuTimeForAnObservationIsPrinted() throws Exception {
    try (StockNode first = StockNode.start(folder.resolve("first"), "", "", Optional.empty());
        StockNode second = StockNode.start(folder.resolve("second"), "", "", Optional.of(first));
        Ignite client = Ignition.start(first.client("application"));
        GridSession observer = new IgniteDriver().openSession(first.attaching())) {
      IgniteCache<Integer, byte[]> cache = client.createCache("measured");
      IntStream.range(0, KEYS).forEach(key -> cache.put(key, new byte[200]));
      List<ProcessHandle> servers =
          Stream.of(first, second).map(node -> ProcessHandle.of(node.pid()).orElseThrow()).toList();
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
      print(firstCost, costs);
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

  /** Interval of the mean by Student's distribution. */
  private static void print(double first, List<Double> costs) {
    double mean = costs.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares = costs.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
    double half = QUANTILE * Math.sqrt(squares / (PAIRS - 1) / PAIRS);
    System.out.printf(
        Locale.ROOT,
        "OVERHEAD of an observation of %d s: %.2f s of CPU time of two servers for the first, then"
            + " %.2f s [%.2f, %.2f] over %d pairs: %s%n",
        WINDOW.toSeconds(),
        first,
        mean,
        mean - half,
        mean + half,
        PAIRS,
        costs);
  }
}
