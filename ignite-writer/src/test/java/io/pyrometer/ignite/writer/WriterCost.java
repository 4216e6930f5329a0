package io.pyrometer.ignite.writer;

import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;

/**
 * The writer's own cost: nanoseconds of CPU and of the clock for each write on a cache that does
 * nothing, in rounds. The CPU time is that of the whole process.
 */
final class WriterCost {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private WriterCost() {}

  /** Arguments: writes per round, rounds, workload, microseconds that a call takes. */
  public static void main(String[] args) {
    int writes = Integer.parseInt(args[0]);
    long callMicros = Long.parseLong(args[3]);
    Long[] keys = KeyStream.of(args[2], writes, new Random(1));
    Object value = new StockOrder(0);
    for (int round = 1; round <= Integer.parseInt(args[1]); round++) {
      long cpu = cpuNanos();
      long start = System.nanoTime();
      long batches = write(keys, value, callMicros);
      long wall = System.nanoTime() - start;
      System.out.printf(
          Locale.ROOT,
          "%s: %d ns by the clock, %d ns of CPU for each write, %d writes a batch%n",
          args[2],
          wall / writes,
          (cpuNanos() - cpu) / writes,
          writes / batches);
    }
  }

  private static long write(Long[] keys, Object value, long callMicros) {
    IgniteWriter<Long, Object> writer =
        new IgniteWriterBuilder<Long, Object>(new NullPort(callMicros), new ThreeNodes(), 4).open();
    for (Long key : keys) {
      writer.write(key, value);
    }
    writer.close();
    return writer.stats().batches();
  }

  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  private record NullPort(long callMicros) implements CachePort<Long, Object> {
    @Override
    public CompletionStage<?> putAll(Map<Long, Object> entries) {
      if (callMicros > 0) {
        LockSupport.parkNanos(callMicros * 1_000);
      }
      return DONE;
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
        new Placement(
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
