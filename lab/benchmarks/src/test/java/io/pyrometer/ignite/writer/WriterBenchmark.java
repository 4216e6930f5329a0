package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of the writer itself for each write, on a cache of three nodes that acknowledges every call
 * and stores nothing, without the encoding of values, which is Ignite's own work: on the caller's
 * thread and on the writer's own, garbage collection included. {@code cpu.norm} is the figure to
 * read; the time per operation is shorter or longer, because two threads share the work.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WriterBenchmark {
  /** Keys of one invocation; so many that unique keys are acknowledged long before they recur. */
  static final int WRITES = 1 << 18;

  private static final int HOT = 2_000;

  /** Unique keys in random order; four of five writes to 2,000 hot keys; hot keys only. */
  @Param({"unique", "hot80", "hot100"})
  public String keys = "unique";

  private static final int VALUES = 4_096;

  /** When the cache answers a call: at once, or after as many microseconds, as one nearby. */
  @Param({"0", "1000"})
  public int answerMicros;

  private List<Map.Entry<Long, Object>> entries = List.of();
  private IgniteWriter<Long, Object> writer = open(0);

  private static IgniteWriter<Long, Object> open(int answerMicros) {
    return new IgniteWriterBuilder<Long, Object>(settings -> new NullPort(answerMicros)).open();
  }

  /** Draws the keys. */
  @Setup
  public void draw() {
    Random random = new Random(1);
    List<Integer> unique = new ArrayList<>();
    IntStream.range(0, WRITES).forEach(unique::add);
    Collections.shuffle(unique, random);
    List<Object> values = new ArrayList<>();
    IntStream.range(0, VALUES)
        .forEach(version -> values.add("SBER-TQBR-S01-" + (10_000_000 + version)));
    int hotShare = "unique".equals(keys) ? 0 : "hot80".equals(keys) ? 4 : 5;
    List<Map.Entry<Long, Object>> drawn = new ArrayList<>();
    for (int number : unique) {
      boolean hot = random.nextInt(5) < hotShare;
      Long key = hot ? random.nextInt(HOT) : 1_000_000_000L + number; // near its entry in memory
      drawn.add(Map.entry(key, values.get(drawn.size() % VALUES)));
    }
    entries = drawn;
    writer.close();
    writer = open(answerMicros);
  }

  /** Waits for the last writes. */
  @TearDown(Level.Iteration)
  public void flush() {
    writer.flush();
  }

  /** Ends the writer's threads. */
  @TearDown
  public void close() {
    writer.close();
  }

  /** One future for each write. */
  @Benchmark
  @OperationsPerInvocation(WRITES)
  @SuppressWarnings("FutureReturnValueIgnored")
  public void write() {
    for (Map.Entry<Long, Object> entry : entries) {
      writer.write(entry.getKey(), entry.getValue());
    }
  }

  /** Acknowledges everything, at once or a little later, and leaves values as they are. */
  private record NullPort(int answerMicros) implements CachePort {
    private static final RendezvousAffinityFunction FUNCTION = new RendezvousAffinityFunction();

    @Override
    public String name() {
      return "null";
    }

    @Override
    public int partition(Object key) {
      return FUNCTION.partition(key);
    }

    /** As many partitions as Ignite has by default, one in three on each node. */
    @Override
    public List<?> primaries() {
      return IntStream.range(0, FUNCTION.partitions())
          .mapToObj(partition -> partition % 3)
          .toList();
    }

    @Override
    public void send(BatchMap batch) {
      if (answerMicros > 0) {
        LockSupport.parkNanos(answerMicros * 1_000L);
      }
    }

    @Override
    public Map<Object, Object> getAll(Set<Object> keys) {
      return Map.of();
    }

    @Override
    public Fault read(Throwable error) {
      return Fault.of(Fault.Kind.KEYS, error);
    }

    @Override
    public Object toBinary(Object object) {
      return object;
    }

    @Override
    public boolean locksInOrder() {
      return false;
    }
  }
}
