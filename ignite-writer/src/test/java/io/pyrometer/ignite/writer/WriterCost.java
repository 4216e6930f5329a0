package io.pyrometer.ignite.writer;

import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;

/**
 * The writer's own cost: nanoseconds of CPU and of the clock for each write on a cache that does
 * nothing, in rounds. The CPU time is that of the whole process.
 */
final class WriterCost {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private static final int LANES = 12;

  private WriterCost() {}

  /**
   * Arguments: writes per round, rounds, workload, nanoseconds that the cache takes for each entry
   * (all lanes together; 0 for none).
   */
  public static void main(String[] args) {
    int writes = Integer.parseInt(args[0]);
    long nanosPerEntry = Long.parseLong(args[3]);
    Long[] keys = KeyStream.of(args[2], writes, new Random(1));
    Object value = new StockOrder(0);
    for (int round = 1; round <= Integer.parseInt(args[1]); round++) {
      long cpu = cpuNanos();
      long start = System.nanoTime();
      WriterStats stats = write(keys, value, nanosPerEntry);
      long wall = System.nanoTime() - start;
      System.out.printf(
          Locale.ROOT,
          "%s: %d ns by the clock, %d ns of CPU for each write, %d writes a batch, %.2f an entry%n",
          args[2],
          wall / writes,
          (cpuNanos() - cpu) / writes,
          writes / stats.batches(),
          (double) writes / stats.finishedEntries());
    }
  }

  private static WriterStats write(Long[] keys, Object value, long nanosPerEntry) {
    IgniteWriter<Long, Object> writer =
        new IgniteWriterBuilder<Long, Object>(
                new NullPort(nanosPerEntry), new ThreeNodes(), LANES / 3)
            .open();
    for (Long key : keys) {
      writer.write(key, value);
    }
    writer.close();
    return writer.stats();
  }

  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  private record NullPort(long nanosPerEntry) implements CachePort<Long, Object> {
    @Override
    public String name() {
      return "null";
    }

    @Override
    public void register(Object keyOrValue) {}

    @Override
    public CompletionStage<Boolean> putIfAbsent(Long key, Object value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <R> CompletionStage<R> invoke(
        Long key, CacheEntryProcessor<Long, Object, R> processor, Object... arguments) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<?> putAll(Map<Long, Object> entries) {
      return nanosPerEntry == 0
          ? DONE
          : new CompletableFuture<Void>()
              .completeOnTimeout(
                  null, LANES * nanosPerEntry * entries.size(), TimeUnit.NANOSECONDS);
    }

    @Override
    public CompletionStage<?> removeAll(Set<Long> keys) {
      return DONE;
    }

    @Override
    public Fault read(Throwable error) {
      return Fault.ofAll(Fault.Kind.KEYS, error);
    }

    @Override
    public boolean locksInOrder() {
      return false;
    }
  }

  private static final class ThreeNodes implements Topology<Long> {
    private final RendezvousAffinityFunction function = new RendezvousAffinityFunction();
    private final Placement placement =
        Placement.ofPrimaries(
            java.util.stream.IntStream.range(0, partitions()).mapToObj(p -> p % 3).toList());

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
