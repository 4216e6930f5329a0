package io.pyrometer.microbenchmark;

import io.pyrometer.jmh.BenchmarkSettings;
import io.pyrometer.jmh.CacheUnderTest;
import io.pyrometer.microbenchmark.trace.Belady;
import io.pyrometer.microbenchmark.trace.LeastRecentlyUsed;
import io.pyrometer.microbenchmark.trace.Trace;
import io.pyrometer.protocol.Reading;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Answers a trace with a bounded cache by one thread and counts the hits, beside those of Belady's
 * optimum and of exact LRU. The hits of all measured shots count.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
public class EvictBenchmark {
  /** How far a cache may be above its bound, as some count roughly or evict later. */
  private static final double ABOVE_BOUND = 1.05;

  private final LongAdder loads = new LongAdder();
  private ForkedBenchmark fork;
  private CacheUnderTest cache;
  private Integer[] keys;
  private Trace trace;
  private int capacity;
  private long wrong;
  private long shots;
  private long size;

  @Setup(Level.Trial)
  public void begin() {
    fork = ForkedBenchmark.begin();
    capacity = fork.settings().get(BenchmarkSettings.CAPACITY);
    trace = Trace.of(fork.settings(), fork.random());
    keys = new Integer[trace.keys()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i;
    }
  }

  @Setup(Level.Iteration)
  public void fresh() {
    cache =
        fork.open(
            capacity,
            Optional.of(
                key -> {
                  loads.increment();
                  return key;
                }));
  }

  @Benchmark
  public void evict() {
    shots++;
    for (int i = 0; i < trace.requests(); i++) {
      Integer key = keys[trace.key(i)];
      if (cache.getOrLoad(key).intValue() != key.intValue()) {
        wrong++;
      }
    }
  }

  @TearDown(Level.Iteration)
  public void count() {
    size = Math.max(size, cache.size());
  }

  @TearDown(Level.Trial)
  public void end() {
    double requests = trace.requests();
    double hits = 1 - loads.sum() / (requests * Math.max(1, shots));
    double optimum = Belady.hits(trace, capacity) / requests;
    double lru = LeastRecentlyUsed.hits(trace, capacity) / requests;
    fork.read(new Reading("hit-ratio", 100 * hits, "%", Reading.Better.HIGHER));
    fork.read(Reading.neutral("hit-ratio.optimum", 100 * optimum, "%"));
    fork.read(Reading.neutral("hit-ratio.lru", 100 * lru, "%"));
    if (optimum > 0) {
      fork.read(
          new Reading("hit-ratio.of-optimum", 100 * hits / optimum, "%", Reading.Better.HIGHER));
    }
    fork.verify(wrong == 0, "no wrong answer", wrong + " wrong answers");
    fork.verify(
        size > 0 && size <= ABOVE_BOUND * capacity + 1,
        "1 to %d entries".formatted(capacity),
        size + " entries");
    fork.end(requests);
  }
}
