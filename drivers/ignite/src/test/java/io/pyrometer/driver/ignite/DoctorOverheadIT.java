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
import java.util.concurrent.atomic.AtomicLong;
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
 * What the doctor costs the servers that it observes: their CPU time for an operation at the same
 * offered rate, with it and without it in turns.
 */
@Tag("endurance")
class DoctorOverheadIT {
  private static final int PAIRS = 6;

  /** Of Student's distribution with five degrees of freedom, 97.5 %. */
  private static final double QUANTILE = 2.571;

  private static final Duration WINDOW = Duration.ofSeconds(15);
  private static final int THREADS = 2;
  private static final int RATE = Integer.getInteger("doctor.rate", 2_000);
  private static final int KEYS = 10_000;

  @TempDir Path folder;

  @Test
  void theServersCpuTimeWithTheDoctorAndWithoutIsPrinted() throws Exception {
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
      AtomicLong operations = new AtomicLong();
      AtomicBoolean ended = new AtomicBoolean();
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        for (int thread = 0; thread < THREADS; thread++) {
          threads.execute(() -> offer(cache, operations, ended));
        }
        long begun = System.nanoTime();
        HealthReport warm = observer.examine(WINDOW);
        double seconds = (System.nanoTime() - begun) / 1e9;
        assertThat(warm.servers()).isEqualTo(2);
        assertThat(warm.healthy()).as("thread dumps were taken").contains("deadlock");
        List<Double> overheads = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
          boolean doctorFirst = pair % 2 == 0;
          double one = microseconds(servers, operations, doctorFirst, observer);
          double other = microseconds(servers, operations, !doctorFirst, observer);
          overheads.add(doctorFirst ? one / other - 1 : other / one - 1);
        }
        print(overheads);
        System.out.printf(
            Locale.ROOT,
            "OVERHEAD wall time of an observation of %d s: %.1f s%n",
            WINDOW.toSeconds(),
            seconds);
      } finally {
        ended.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  /** Offers operations at a fixed rate. */
  private static void offer(
      IgniteCache<Integer, byte[]> cache, AtomicLong operations, AtomicBoolean ended) {
    long interval = TimeUnit.SECONDS.toNanos(THREADS) / RATE;
    long next = System.nanoTime();
    for (int step = 0; !ended.get(); step++) {
      if (step % 2 == 0) {
        cache.put(step % KEYS, new byte[200]);
      } else {
        cache.get((step * 31) % KEYS);
      }
      operations.incrementAndGet();
      next += interval;
      while (System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  /** CPU time of all servers for an operation within a window. */
  private static double microseconds(
      List<ProcessHandle> servers, AtomicLong operations, boolean doctor, GridSession observer)
      throws InterruptedException {
    long before = operations.get();
    double used = cpuSeconds(servers);
    if (doctor) {
      assertThat(observer.examine(WINDOW).servers()).isEqualTo(2);
    } else {
      TimeUnit.MILLISECONDS.sleep(WINDOW.toMillis());
    }
    return 1e6 * (cpuSeconds(servers) - used) / (operations.get() - before);
  }

  private static double cpuSeconds(List<ProcessHandle> servers) {
    return servers.stream()
        .mapToDouble(each -> each.info().totalCpuDuration().orElseThrow().toNanos() / 1e9)
        .sum();
  }

  private static void print(List<Double> overheads) {
    double mean = overheads.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares = overheads.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
    double half = QUANTILE * Math.sqrt(squares / (PAIRS - 1) / PAIRS);
    System.out.printf(
        Locale.ROOT,
        "OVERHEAD of the doctor on the CPU time of two servers at %d operations/s: %.1f %%,"
            + " interval %.1f to %.1f %% over %d pairs of %d s: %s%n",
        RATE,
        100 * mean,
        100 * (mean - half),
        100 * (mean + half),
        PAIRS,
        WINDOW.toSeconds(),
        overheads);
  }
}
