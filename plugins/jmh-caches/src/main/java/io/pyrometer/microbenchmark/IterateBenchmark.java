package io.pyrometer.microbenchmark;

import io.pyrometer.jmh.CacheUnderTest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Goes through all entries of a full cache; each pass must come to the same sum. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
public class IterateBenchmark {
  private final LongAdder wrongPasses = new LongAdder();
  private ForkedBenchmark fork;
  private CacheUnderTest cache;
  private int records;
  private long sum;

  /** Adds keys and values up. */
  private static final class Sum implements BiConsumer<Integer, Integer> {
    private long value;

    @Override
    public void accept(Integer key, Integer of) {
      value += key + of;
    }
  }

  @Setup(Level.Trial)
  public void begin() {
    fork = ForkedBenchmark.begin();
    records = fork.records();
    sum = (long) records * (records - 1);
    cache = fork.open(OptionalInt.of(2 * records), Optional.empty());
    cache.fill(records);
  }

  @Benchmark
  public long iterate() {
    Sum pass = new Sum();
    cache.forEach(pass);
    if (pass.value != sum) {
      wrongPasses.increment();
    }
    return pass.value;
  }

  @TearDown(Level.Trial)
  public void end() {
    fork.verify(
        wrongPasses.sum() == 0,
        "the sum of all keys and values in every pass",
        wrongPasses.sum() + " passes with another sum");
    fork.verifyContents(cache, records, key -> key);
    fork.end(records);
  }
}
