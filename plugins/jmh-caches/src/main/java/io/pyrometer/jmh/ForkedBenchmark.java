package io.pyrometer.jmh;

import com.sun.management.OperatingSystemMXBean;
import io.pyrometer.driver.GridException;
import io.pyrometer.load.NanoClock;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/**
 * The JVM that runs one benchmark: it opens the product's caches, verifies what the benchmark left
 * in them, and reports to the process that started it. The JVM ends when that process does.
 */
final class ForkedBenchmark {
  /** The property that names the folder of the spec and the report. */
  static final String FOLDER_PROPERTY = "pyrometer.benchmark.folder";

  static final String SPEC = "benchmark.json";
  static final String REPORT = "report.json";

  private static final int SAMPLED_VALUES = 1_000;
  private static final Duration SETTLING = Duration.ofSeconds(10);
  private static final long BETWEEN_LOOKS_NANOS = 20_000_000;
  private static final long PARENT_POLL_NANOS = 100_000_000;
  private static final int COLLECTIONS = 4;

  private final BenchmarkSpec spec;
  private final Path folder;
  private final CacheProvider.Caches caches;
  private final List<String> expected = new ArrayList<>();
  private final List<String> found = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final List<Reading> readings = new ArrayList<>();
  private final Map<String, String> configuration = new TreeMap<>();
  private int opened;
  private Optional<CacheUnderTest> cache = Optional.empty();

  private ForkedBenchmark(BenchmarkSpec spec, Path folder, CacheProvider.Caches caches) {
    this.spec = spec;
    this.folder = folder;
    this.caches = caches;
  }

  /** Starts the product in this JVM, as the file asks that {@link JmhProcess} wrote. */
  static ForkedBenchmark begin() {
    endWithParent();
    Path folder = Path.of(System.getProperty(FOLDER_PROPERTY));
    try {
      BenchmarkSpec spec = Json.LINES.readValue(folder.resolve(SPEC).toFile(), BenchmarkSpec.class);
      CacheProvider provider =
          ServiceLoader.load(CacheProvider.class)
              .findFirst()
              .orElseThrow(() -> new GridException("The driver has no cache to benchmark."));
      return new ForkedBenchmark(spec, folder, provider.start(spec));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void endWithParent() {
    ProcessHandle parent =
        ProcessHandle.current()
            .parent()
            .orElseThrow(() -> new IllegalStateException("This JVM was not started by JMH."));
    Daemon.start(
        "end-with-parent",
        () -> {
          while (parent.isAlive()) {
            NanoClock.SYSTEM.park(PARENT_POLL_NANOS);
          }
          Runtime.getRuntime().halt(1);
        });
  }

  BenchmarkSpec spec() {
    return spec;
  }

  Settings settings() {
    return spec.trial().settings();
  }

  int records() {
    return Math.toIntExact(settings().get(CoreSettings.RECORDS));
  }

  /** A source of random numbers that is the same in every block of the same seed. */
  SplittableRandom random() {
    return new SplittableRandom(spec.trial().seed());
  }

  /** Closes the cache before and opens an empty one with the same settings. */
  CacheUnderTest open(int bound, Optional<CacheSpec.Loader> loader) {
    closeCache();
    CacheUnderTest made = caches.open(new CacheSpec("benchmark-" + opened++, bound, loader));
    cache = Optional.of(made);
    return made;
  }

  private void closeCache() {
    cache.ifPresent(
        open -> {
          try {
            open.close();
          } catch (Exception failure) {
            throw new GridException("The cache could not be closed: " + failure + ".", failure);
          }
        });
    cache = Optional.empty();
  }

  /** Notes what was counted; a difference fails the trial. */
  void verify(boolean passed, String shouldBe, String is) {
    if (expected.size() < 8) {
      expected.add(shouldBe);
      found.add(is);
    }
    if (!passed && problems.isEmpty()) {
      problems.add("Expected %s, found %s.".formatted(shouldBe, is));
    }
  }

  void read(Reading reading) {
    readings.add(reading);
  }

  /**
   * Verifies the number of entries and the values of some. Products may still be working on the
   * last writes, so differences must last to count.
   *
   * @param valueOf the value that is expected of a key
   */
  void verifyContents(CacheUnderTest open, int entries, IntUnaryOperator valueOf) {
    long deadline = System.nanoTime() + SETTLING.toNanos();
    long size = open.size();
    long wrong = wrongValues(open, entries, valueOf);
    while ((size != entries || wrong > 0) && System.nanoTime() < deadline) {
      NanoClock.SYSTEM.park(BETWEEN_LOOKS_NANOS);
      size = open.size();
      wrong = wrongValues(open, entries, valueOf);
    }
    int sampled = Math.min(SAMPLED_VALUES, entries);
    verify(
        size == entries && wrong == 0,
        "%d entries, %d sampled values right".formatted(entries, sampled),
        "%d entries, %d of them wrong".formatted(size, wrong));
  }

  private long wrongValues(CacheUnderTest open, int entries, IntUnaryOperator valueOf) {
    SplittableRandom random = random();
    long wrong = 0;
    for (int i = 0; i < Math.min(SAMPLED_VALUES, entries); i++) {
      int key = entries <= SAMPLED_VALUES ? i : random.nextInt(entries);
      Integer value = open.get(key);
      wrong += value == null || value != valueOf.applyAsInt(key) ? 1 : 0;
    }
    return wrong;
  }

  /** The heap that is in use after a full collection: the least of several. */
  static long liveHeapBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  /**
   * Closes everything and leaves the report.
   *
   * @param recordsPerOperation entries that one of JMH's operations handles, on average
   */
  void end(double recordsPerOperation) {
    configuration.putAll(caches.configuration());
    cache.ifPresent(open -> configuration.putAll(open.configuration()));
    configuration.put("fork.collectors", collectors());
    configuration.put("fork.jvm", Runtime.version().toString());
    closeCache();
    try {
      caches.close();
      Json.LINES.writeValue(
          folder.resolve(REPORT).toFile(),
          new BenchmarkReport(
              recordsPerOperation,
              String.join("; ", expected),
              String.join("; ", found),
              problems,
              readings,
              configuration,
              cpuSeconds()));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    } catch (Exception failure) {
      throw new GridException("The product could not be closed: " + failure + ".", failure);
    }
  }

  private static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime() / 1e9
        : 0;
  }

  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(", "));
  }
}
