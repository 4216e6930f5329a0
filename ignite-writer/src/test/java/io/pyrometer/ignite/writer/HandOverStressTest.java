package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Several threads, with hardly any room and often endless lingering, while partitions move: every
 * write must get its turn, and each thread's order hold. In the place of jcstress, whose licence is
 * the GPL.
 */
class HandOverStressTest {
  private static final int THREADS = 4;
  private static final int WRITES = 150;

  @Property(tries = 20)
  void everyWriteGetsItsTurnAndEachThreadsOrderHolds(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 5) int mostPending,
      @ForAll @IntRange(min = 1, max = 3) int largestBatch,
      @ForAll @IntRange(min = 1, max = 3) int lanes,
      @ForAll boolean lingerForEver,
      @ForAll boolean moving)
      throws Exception {
    FakeTopology topology = new FakeTopology();
    FakeCache<Integer, Integer> cache =
        new FakeCache<>(ForkJoinPool.commonPool(), (call, keys, values) -> {});
    IgniteWriter<Integer, Integer> writer =
        WriterFixture.to(cache, topology)
            .lanes(lanes)
            .batchEntries(largestBatch)
            .maxPendingBytes(mostPending * 256L)
            .linger(lingerForEver ? Duration.ofDays(1) : Duration.ZERO)
            .maxWait(ChronoUnit.FOREVER.getDuration())
            .open();
    Map<Integer, Integer> last = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t * 10;
      Random random = new Random(seed + t);
      threads.add(new Thread(() -> write(writer, random, first, last)));
    }
    threads.forEach(Thread::start);
    Random random = new Random(seed);
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (threads.stream().anyMatch(Thread::isAlive) && deadline > System.nanoTime()) {
      if (moving) {
        topology.shuffle(random);
      }
      Thread.sleep(1);
    }
    assertThat(threads).as("all have written").noneMatch(Thread::isAlive);
    writer.close();
    assertThat(cache.keysInTwoCalls).hasValue(0);
    assertThat(cache.store).isEqualTo(last);
    assertThat(writer.stats().pendingEntries()).isZero();
    assertThat(writer.stats().pendingBytes()).isZero();
  }

  private static void write(
      IgniteWriter<Integer, Integer> writer, Random random, int first, Map<Integer, Integer> last) {
    for (int version = 1; version <= WRITES; version++) {
      int key = first + random.nextInt(10);
      switch (random.nextInt(8)) {
        case 0 -> {
          writer.remove(key);
          writer.write(key, version);
        }
        case 1 -> {
          writer.write(key, version);
          writer.flush();
        }
        default -> writer.write(key, version);
      }
      last.put(key, version);
    }
  }
}
