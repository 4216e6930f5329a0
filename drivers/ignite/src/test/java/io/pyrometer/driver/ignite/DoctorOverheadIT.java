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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Overhead of the doctor on the servers that it observes: their CPU time in a window with it and in
 * the one before, while a client makes calls at a rate.
 */
@Tag("endurance")
class DoctorOverheadIT {
  private static final int PAIRS = Integer.getInteger("doctor.pairs", 6);

  /** Quantile of Student's distribution with five degrees of freedom, 97.5 %. */
  private static final double QUANTILE = 2.571;

  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final int KEYS = 10_000;
  private static final int CALLS_A_SECOND = 2_000;

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
      AtomicBoolean stop = new AtomicBoolean();
      Thread calls = new Thread(() -> callAtRate(cache, stop));
      calls.start();
      List<Double> costs = new ArrayList<>();
      for (int pair = 0; pair <= PAIRS; pair++) {
        double alone = used(servers, () -> TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis()));
        double observed =
            used(
                servers,
                () -> {
                  HealthReport report = observer.examine(WINDOW);
                  assertThat(report.servers()).isEqualTo(2);
                  assertThat(report.healthy()).as("thread dumps were taken").contains("deadlock");
                });
        System.out.printf(Locale.ROOT, "PAIR %d: %.2f s, %.2f s%n", pair, alone, observed);
        if (pair > 0) { // the first one compiles
          costs.add(100 * (observed / alone - 1));
        }
      }
      stop.set(true);
      calls.join();
      print(costs);
    }
  }

  private static void callAtRate(IgniteCache<Integer, byte[]> cache, AtomicBoolean stop) {
    long start = System.nanoTime();
    for (long call = 0; !stop.get(); call++) {
      LockSupport.parkNanos(
          start + TimeUnit.SECONDS.toNanos(call) / CALLS_A_SECOND - System.nanoTime());
      int key = (int) (call % KEYS);
      if (call % 2 == 0) {
        cache.get(key);
      } else {
        cache.put(key, new byte[200]);
      }
    }
  }

  /** Action that takes a window. */
  private interface Window {
    void pass() throws Exception;
  }

  /** CPU seconds of all servers in the time of a window; an observation takes a little longer. */
  private static double used(List<ProcessHandle> servers, Window window) throws Exception {
    long start = System.nanoTime();
    double before = cpuSeconds(servers);
    window.pass();
    double seconds = (System.nanoTime() - start) / 1e9;
    return WINDOW.toSeconds() * (cpuSeconds(servers) - before) / seconds;
  }

  private static double cpuSeconds(List<ProcessHandle> servers) {
    return servers.stream()
        .mapToDouble(each -> each.info().totalCpuDuration().orElseThrow().toNanos() / 1e9)
        .sum();
  }

  /** Interval of the mean by Student's distribution. */
  private static void print(List<Double> costs) {
    double mean = costs.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares = costs.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
    double half = QUANTILE * Math.sqrt(squares / (PAIRS - 1) / PAIRS);
    System.out.printf(
        Locale.ROOT,
        "OVERHEAD at %d calls/s: %.2f %% of the servers' CPU time [%.2f, %.2f], %d pairs: %s%n",
        CALLS_A_SECOND,
        mean,
        mean - half,
        mean + half,
        PAIRS,
        costs);
  }
}
