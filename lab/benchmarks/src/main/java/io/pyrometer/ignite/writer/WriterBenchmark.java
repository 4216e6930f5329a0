package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ignite.cache.CacheEntryProcessor;
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
 * What the writer itself costs for each write, on a cache of three nodes that acknowledges every
 * call and stores nothing: on the caller's thread and on the writer's own, garbage collection
 * included. {@code cpu.norm} is the figure to read; the time per operation is shorter or longer,
 * because two threads share the work.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WriterBenchmark {
  /** Keys of one invocation; so many that unique keys are acknowledged long before they recur. */
  static final int WRITES = 1 << 18;

  private static final int HOT = 2_000;
  private static final int GROUP = 1_000;

  /** Unique keys in random order; four of five writes to 2,000 hot keys; hot keys only. */
  @Param({"unique", "hot80", "hot100"})
  public String keys = "unique";

  private static final int VALUES = 4_096;

  /** When the cache answers a call: at once, or after as many microseconds, as one nearby. */
  @Param({"0", "1000"})
  public int answerMicros;

  private List<Map.Entry<Long, Object>> entries = List.of();
  private IgniteWriter<Long, Object> writer = open(0);

  /** A flat object with five short strings. */
  @SuppressWarnings("unused")
  private static final class Order {
    private final String code = "SBER";
    private final String board = "TQBR";
    private final String account;
    private final String user = "MU1234567890";
    private final String currency = "RUB";
    private final double price = 162.93;
    private final int quantity = 2_000;
    private final long version;

    Order(long version) {
      this.version = version;
      this.account = "S01-" + (10_000_000 + version);
    }
  }

  private static IgniteWriter<Long, Object> open(int answerMicros) {
    return new IgniteWriterBuilder<>(
            new NullPort(answerMicros), new ThreeNodes(), IgniteWriterBuilder.NODE_LANES)
        .open();
  }

  /** Draws the keys. */
  @Setup
  public void draw() {
    Random random = new Random(1);
    List<Integer> unique = new ArrayList<>();
    IntStream.range(0, WRITES).forEach(unique::add);
    Collections.shuffle(unique, random);
    List<Object> values = new ArrayList<>();
    IntStream.range(0, VALUES).forEach(version -> values.add(new Order(version)));
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

  /** One future for a thousand writes. */
  @Benchmark
  @OperationsPerInvocation(WRITES)
  @SuppressWarnings("FutureReturnValueIgnored")
  public void writeAll() {
    for (int from = 0; from < WRITES; from += GROUP) {
      writer.writeAll(entries.subList(from, Math.min(WRITES, from + GROUP)));
    }
  }

  /** Acknowledges everything, at once or a little later. */
  private record NullPort(int answerMicros) implements CachePort<Long, Object> {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    @Override
    public String name() {
      return "null";
    }

    @Override
    public CompletionStage<?> putAll(Map<Long, Object> entries) {
      return answerMicros == 0
          ? DONE
          : new CompletableFuture<Void>()
              .completeOnTimeout(null, answerMicros, TimeUnit.MICROSECONDS);
    }

    @Override
    public CompletionStage<?> removeAll(Set<Long> keys) {
      return DONE;
    }

    @Override
    public CompletionStage<Boolean> putIfAbsent(Long key, Object value) {
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public <R> CompletionStage<R> invoke(
        Long key, CacheEntryProcessor<Long, Object, R> processor, Object... arguments) {
      return CompletableFuture.failedFuture(new UnsupportedOperationException());
    }

    @Override
    public Fault read(Throwable error) {
      return Fault.ofAll(Fault.Kind.KEYS, error);
    }

    @Override
    public boolean locksInOrder() {
      return false;
    }

    @Override
    public void register(Object keyOrValue) {}
  }

  /** Partitions as Ignite has them by default, one in three on each node. */
  private static final class ThreeNodes implements Topology<Long> {
    private final RendezvousAffinityFunction function = new RendezvousAffinityFunction();
    private final Placement placement =
        Placement.ofPrimaries(
            IntStream.range(0, function.partitions())
                .mapToObj(partition -> partition % 3)
                .toList());

    @Override
    public int partitions() {
      return function.partitions();
    }

    @Override
    public int partition(Long key) {
      return function.partition(key);
    }

    @Override
    public Placement placement() {
      return placement;
    }
  }
}
