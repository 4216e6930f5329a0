package io.pyrometer.jmh;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
 * Fills a fresh cache: {@code put(i, i)} for every i, each thread a range of its own. The clock
 * runs until the last thread is done. At the end the memory of an entry is measured, its key and
 * its value included: the heap that is in use after a full collection with the full cache, less
 * that with an empty one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
public class PopulateBenchmark {
  private ForkedBenchmark fork;
  private CacheUnderTest cache;
  private ExecutorService threads;
  private List<Callable<Void>> ranges;
  private int records;
  private long emptyHeap;
  private OptionalLong emptyOffHeap = OptionalLong.empty();

  @Setup(Level.Trial)
  public void begin() {
    fork = ForkedBenchmark.begin();
    records = fork.records();
    int count = fork.settings().get(CoreSettings.THREADS);
    threads = Executors.newFixedThreadPool(count);
    ranges = new ArrayList<>();
    for (int t = 0; t < count; t++) {
      int from = (int) ((long) records * t / count);
      int to = (int) ((long) records * (t + 1) / count);
      ranges.add(() -> put(from, to));
    }
    cache = open();
    emptyHeap = ForkedBenchmark.liveHeapBytes();
    emptyOffHeap = cache.offHeapBytes();
  }

  /** A bound that is never reached, so that bounded caches do what they do for their bound. */
  private CacheUnderTest open() {
    return fork.open(2 * records, Optional.empty());
  }

  @Setup(Level.Iteration)
  public void fresh() {
    cache = open();
  }

  @Benchmark
  public void populate() throws InterruptedException, ExecutionException {
    for (Future<Void> range : threads.invokeAll(ranges)) {
      range.get();
    }
  }

  private Void put(int from, int to) {
    for (int i = from; i < to; i++) {
      cache.put(i, i);
    }
    return null;
  }

  @TearDown(Level.Iteration)
  public void verify() {
    fork.verifyContents(cache, records, key -> key);
  }

  @TearDown(Level.Trial)
  public void end() {
    if (fork.spec().servers().isEmpty()) {
      long heap = ForkedBenchmark.liveHeapBytes() - emptyHeap;
      fork.read(Reading.lower("heap-per-entry", (double) heap / records, "B"));
      OptionalLong offHeap = cache.offHeapBytes();
      if (offHeap.isPresent() && emptyOffHeap.isPresent()) {
        long bytes = offHeap.getAsLong() - emptyOffHeap.getAsLong();
        fork.read(Reading.lower("off-heap-per-entry", (double) bytes / records, "B"));
      }
    }
    threads.shutdown();
    fork.end(records);
  }
}
