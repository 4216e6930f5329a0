package io.pyrometer.microbenchmark;

import io.pyrometer.jmh.BenchmarkSettings;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Reading;
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
 * Reads uniform keys of a full cache and overwrites some. Threads read all keys and write keys of
 * their own, each time another value, so that the last value of every key is known and verified.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
public class MixedBenchmark {
  private static final int DRAWN = 1 << 20;

  /** Read when all threads have stopped: JMH tears the benchmark down before some of them. */
  private final Queue<Cursor> cursors = new ConcurrentLinkedQueue<>();

  private ForkedBenchmark fork;
  private CacheUnderTest cache;
  private Integer[] keys;

  /** The key of each call; its complement where the call writes. */
  private int[] drawn;

  /** The value written last under each key, by the one thread that writes the key. */
  private int[] last;

  private double readShare;

  /** Where a thread is in the sequence of calls, and what it counted. */
  @State(Scope.Thread)
  public static class Cursor {
    private int at;
    private int index;
    private int count;
    private int value;
    private long misses;
    private long writes;
    private long calls;

    @Setup(Level.Trial)
    public void begin(MixedBenchmark benchmark, ThreadParams thread) {
      index = thread.getThreadIndex();
      count = thread.getThreadCount();
      at = (int) ((long) DRAWN * index / count);
      benchmark.cursors.add(this);
    }
  }

  @Setup(Level.Trial)
  public void begin() {
    fork = ForkedBenchmark.begin();
    int records = fork.records();
    int threads = fork.settings().get(CoreSettings.THREADS);
    if (records < threads) {
      throw new IllegalArgumentException(
          "%d threads cannot write %d records: each needs a key of its own."
              .formatted(threads, records));
    }
    readShare = fork.settings().get(BenchmarkSettings.READS);
    SplittableRandom random = fork.random();
    keys = new Integer[records];
    last = new int[records];
    for (int i = 0; i < records; i++) {
      keys[i] = i;
      last[i] = i;
    }
    drawn = new int[DRAWN];
    for (int i = 0; i < DRAWN; i++) {
      int key = random.nextInt(records);
      drawn[i] = random.nextDouble() < readShare ? key : ~key;
    }
    cache = fork.open(OptionalInt.of(2 * records), Optional.empty());
    cache.fill(records);
  }

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

  @TearDown(Level.Trial)
  public void end() {
    long misses = cursors.stream().mapToLong(cursor -> cursor.misses).sum();
    double calls = Math.max(1, cursors.stream().mapToLong(cursor -> cursor.calls).sum());
    double writes = cursors.stream().mapToLong(cursor -> cursor.writes).sum();
    fork.verify(misses == 0, "no miss", misses + " misses");
    fork.read(Reading.neutral("write-share", 100 * writes / calls, "%"));
    fork.verifyContents(cache, keys.length, key -> last[key]);
    fork.end(1);
  }
}
