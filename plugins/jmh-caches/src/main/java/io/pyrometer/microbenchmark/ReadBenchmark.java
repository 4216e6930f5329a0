package io.pyrometer.microbenchmark;

import io.pyrometer.jmh.BenchmarkSettings;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.protocol.Reading;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Reads uniform keys from a full cache. Keys are drawn before anything is timed, over a range that
 * is larger than the cache by the inverse of the hit rate. Hits are counted and must be as many as
 * intended.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
public class ReadBenchmark {
  private static final int KEYS = 1 << 20;

  /** Half a point, and four standard errors of a sample. */
  private static final double TOLERANCE = 0.005;

  private static final double STANDARD_ERRORS = 4;

  /** Read when all threads have stopped: JMH tears the benchmark down before some of them. */
  private final Queue<Cursor> cursors = new ConcurrentLinkedQueue<>();

  private ForkedBenchmark fork;
  private CacheUnderTest cache;
  private Integer[] keys;
  private int records;
  private double hitRate;

  /** Where a thread is in the sequence of keys, and what it counted. */
  @State(Scope.Thread)
  public static class Cursor {
    private int at;
    private long hits;
    private long reads;

    @Setup(Level.Trial)
    public void begin(ReadBenchmark benchmark, ThreadParams thread) {
      at = (int) ((long) KEYS * thread.getThreadIndex() / thread.getThreadCount());
      benchmark.cursors.add(this);
    }
  }

  @Setup(Level.Trial)
  public void begin() {
    fork = ForkedBenchmark.begin();
    records = fork.records();
    hitRate = fork.settings().get(BenchmarkSettings.HIT_RATE);
    int range = (int) Math.round(records / hitRate);
    SplittableRandom random = fork.random();
    keys = new Integer[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = random.nextInt(range);
    }
    cache = fork.open(OptionalInt.of(2 * records), Optional.empty());
    cache.fill(records);
  }

  @Benchmark
  public @Nullable Integer read(Cursor cursor) {
    Integer value = cache.get(keys[cursor.at++ & (KEYS - 1)]);
    cursor.reads++;
    if (value != null) {
      cursor.hits++;
    }
    return value;
  }

  @TearDown(Level.Trial)
  public void end() {
    double all = Math.max(1, cursors.stream().mapToLong(cursor -> cursor.reads).sum());
    double measured = cursors.stream().mapToLong(cursor -> cursor.hits).sum() / all;
    double tolerance = TOLERANCE + STANDARD_ERRORS * Math.sqrt(hitRate * (1 - hitRate) / all);
    fork.verify(
        Math.abs(measured - hitRate) <= tolerance,
        "a hit rate of " + percent(hitRate),
        percent(measured));
    fork.read(Reading.neutral("hit-rate", 100 * measured, "%"));
    fork.verifyContents(cache, records, key -> key);
    fork.end(1);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
