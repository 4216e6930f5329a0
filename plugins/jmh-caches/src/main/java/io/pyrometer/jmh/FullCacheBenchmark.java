package io.pyrometer.jmh;

import static io.pyrometer.jmh.Benchmark.ITERATE;
import static io.pyrometer.jmh.Benchmark.MIXED;
import static io.pyrometer.jmh.Benchmark.READ;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Reading;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
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

/** Reads, overwrites and iterates over a cache that holds all its entries from the start. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
public class FullCacheBenchmark {
  private static final int DRAWN = 1 << 20;

  /** Half a point, and four standard errors of a sample. */
  private static final double TOLERANCE = 0.005;

  private static final double STANDARD_ERRORS = 4;

  /** Read when all threads have stopped: JMH tears the benchmark down before some of them. */
  private final Queue<Cursor> cursors = new ConcurrentLinkedQueue<>();

  private ForkedBenchmark fork;
  private CacheUnderTest cache;
  private int records;

  /** The keys of the cache, or the keys to read one after the other. */
  private Integer[] keys;

  /** The key of each call that reads or writes; its complement where the call writes. */
  private int[] drawn;

  /** The value written last under each key, by the one thread that writes the key. */
  private int[] last;

  /** Where a thread is in the sequence of calls, and what it counted. */
  @State(Scope.Thread)
  public static class Cursor {
    private int at;
    private int index;
    private int count;
    private int value;
    private long calls;
    private long misses;
    private long writes;
    private long wrong;

    @Setup(Level.Trial)
    public void begin(FullCacheBenchmark benchmark, ThreadParams thread) {
      index = thread.getThreadIndex();
      count = thread.getThreadCount();
      at = (int) ((long) DRAWN * index / count);
      benchmark.cursors.add(this);
    }
  }

  @Setup(Level.Trial)
  public void begin() {
    fork = ForkedBenchmark.begin();
    records = fork.records();
    last = IntStream.range(0, records).toArray();
    switch (fork.spec().benchmark()) {
      case READ -> drawReads();
      case MIXED -> drawCalls();
      default -> {}
    }
    cache = fork.open(2 * records, Optional.empty());
    cache.fill(records);
  }

  /** Over a range that is larger than the cache by the inverse of the hit rate. */
  private void drawReads() {
    int range = (int) Math.round(records / fork.settings().get(BenchmarkSettings.HIT_RATE));
    SplittableRandom random = fork.random();
    keys = new Integer[DRAWN];
    Arrays.setAll(keys, i -> random.nextInt(range));
  }

  private void drawCalls() {
    int threads = fork.settings().get(CoreSettings.THREADS);
    if (records < threads) {
      throw new IllegalArgumentException(
          "%d threads cannot write %d records: each needs a key of its own."
              .formatted(threads, records));
    }
    double reads = fork.settings().get(BenchmarkSettings.READS);
    SplittableRandom random = fork.random();
    keys = new Integer[records];
    Arrays.setAll(keys, i -> i);
    drawn = new int[DRAWN];
    Arrays.setAll(
        drawn,
        i -> {
          int key = random.nextInt(records);
          return random.nextDouble() < reads ? key : ~key;
        });
  }

  /** Reads uniform keys; the hits are counted and must be as many as intended. */
  @Benchmark
  public @Nullable Integer read(Cursor cursor) {
    Integer value = cache.get(keys[cursor.at++ & (DRAWN - 1)]);
    cursor.calls++;
    if (value == null) {
      cursor.misses++;
    }
    return value;
  }

  /**
   * Reads uniform keys and overwrites some. Threads read all keys and write keys of their own, each
   * time another value, so that the last value of every key is known and verified.
   */
  @Benchmark
  public @Nullable Integer mixed(Cursor cursor) {
    int key = drawn[cursor.at++ & (DRAWN - 1)];
    cursor.calls++;
    if (key >= 0) {
      Integer value = cache.get(keys[key]);
      if (value == null) {
        cursor.misses++;
      }
      return value;
    }
    int own = own(~key, cursor);
    Integer value = ++cursor.value;
    cache.put(keys[own], value);
    last[own] = cursor.value;
    cursor.writes++;
    return value;
  }

  /** The key of this thread that is next to a key. */
  private int own(int key, Cursor cursor) {
    int own = key - key % cursor.count + cursor.index;
    return own < keys.length ? own : own - cursor.count;
  }

  /** Iterates over all entries; each pass must come to the same sum. */
  @Benchmark
  public long iterate(Cursor cursor) {
    Sum pass = new Sum();
    cache.forEach(pass);
    if (pass.value != (long) records * (records - 1)) {
      cursor.wrong++;
    }
    return pass.value;
  }

  /** Adds keys and values up. */
  private static final class Sum implements BiConsumer<Integer, Integer> {
    private long value;

    @Override
    public void accept(Integer key, Integer of) {
      value += key + of;
    }
  }

  @TearDown(Level.Trial)
  public void end() {
    long calls = total(cursor -> cursor.calls);
    double atLeastOne = Math.max(1, calls);
    long misses = total(cursor -> cursor.misses);
    long wrong = total(cursor -> cursor.wrong);
    io.pyrometer.jmh.Benchmark benchmark = fork.spec().benchmark();
    if (benchmark == READ) {
      double intended = fork.settings().get(BenchmarkSettings.HIT_RATE);
      double measured = (calls - misses) / atLeastOne;
      double tolerance =
          TOLERANCE + STANDARD_ERRORS * Math.sqrt(intended * (1 - intended) / atLeastOne);
      fork.verify(
          Math.abs(measured - intended) <= tolerance,
          "a hit rate of " + percent(intended),
          percent(measured));
      fork.read(Reading.neutral("hit-rate", 100 * measured, "%"));
    } else if (benchmark == MIXED) {
      fork.verify(misses == 0, "no miss", misses + " misses");
      double writes = total(cursor -> cursor.writes);
      fork.read(Reading.neutral("write-share", 100 * writes / atLeastOne, "%"));
    } else {
      fork.verify(
          wrong == 0,
          "the sum of all keys and values in every pass",
          wrong + " passes with another sum");
    }
    fork.verifyContents(cache, records, key -> last[key]);
    fork.end(benchmark == ITERATE ? records : 1);
  }

  private long total(ToLongFunction<Cursor> count) {
    return cursors.stream().mapToLong(count).sum();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
