package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Random writes, removals, flushes and moves of partitions against a cache that answers late, out
 * of order, with passing faults, with partial failures and with values it will not take.
 */
class WriterModelTest {
  /** A value says which write it is; values that are multiples of 97 are poison to the cache. */
  private static final int POISON = 97;

  private static final int WRITES = 300;

  private record Written(int key, int version, CompletableFuture<Void> future) {}

  private final ExecutorService pool = WriterFixture.pool();

  @Property
  void theLastWriteOfEachKeyRemainsWhateverHappens(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int keys,
      @ForAll @IntRange(min = 1, max = 40) int mostPending,
      @ForAll @IntRange(min = 1, max = 12) int largestBatch,
      @ForAll boolean faults) {
    Random random = new Random(seed);
    FakeTopology topology = new FakeTopology();
    FakeCache<Integer, Integer> cache =
        new FakeCache<>(pool, (call, in, values) -> fate(seed + call, in, values, faults));
    List<Written> written = new ArrayList<>();
    Map<Integer, Integer> last = new HashMap<>();
    IgniteWriter<Integer, Integer> writer =
        WriterFixture.to(cache, topology)
            .maxPendingBytes(mostPending * 256L)
            .batchEntries(largestBatch)
            .open();
    for (int version = 1; version <= WRITES; version++) {
      int key = random.nextInt(keys);
      boolean removal = random.nextInt(10) == 0;
      var future = removal ? writer.remove(key) : writer.write(key, version);
      written.add(new Written(key, version, future));
      last.put(key, removal ? 0 : version);
      assertThat(writer.stats().pendingBytes())
          .as("four nodes, each at times alone, and entries that move between them")
          .isLessThanOrEqualTo(8 * (mostPending + 1) * 256L);
      disturb(random, topology, writer);
    }
    closeQuietly(writer);

    assertThat(cache.keysInTwoCalls).hasValue(0);
    checkHistories(cache);
    checkFutures(cache, written);
    last.forEach((key, version) -> checkLast(cache, key, version));
    assertThat(writer.stats().pendingEntries()).isZero();
    WriterStats stats = writer.stats();
    assertThat(stats.finishedEntries() + stats.mergedWrites()).isEqualTo(WRITES);
  }

  private static void fate(long seed, Collection<Integer> keys, Collection<?> values, boolean on)
      throws Exception {
    Random random = new Random(seed * 31);
    if (random.nextInt(4) == 0) {
      Thread.sleep(0, random.nextInt(300_000));
    }
    if (!on) {
      return;
    }
    if (random.nextInt(5) == 0) {
      throw new FakeCache.Refusal(
          Fault.Kind.PASSING, random.nextBoolean() ? some(keys) : List.of());
    }
    if (values.stream().anyMatch(value -> (Integer) value % POISON == 0)) {
      throw new IllegalArgumentException("poison");
    }
  }

  private static List<Integer> some(Collection<Integer> keys) {
    return keys.stream().limit(1 + keys.size() / 2).toList();
  }

  private static void disturb(
      Random random, FakeTopology topology, IgniteWriter<Integer, Integer> writer) {
    switch (random.nextInt(60)) {
      case 0 -> topology.shuffle(random);
      case 1 -> flushQuietly(writer);
      case 2 -> writer.flushAsync().cancel(true);
      default -> {}
    }
  }

  private static void flushQuietly(IgniteWriter<Integer, Integer> writer) {
    try {
      writer.flush();
    } catch (WriteFailedException expectedOfPoison) {
      assertThat(expectedOfPoison.failures().values())
          .allSatisfy(cause -> assertThat(cause).hasMessage("poison"));
    }
  }

  private static void closeQuietly(IgniteWriter<Integer, Integer> writer) {
    try {
      writer.close();
    } catch (WriteFailedException expectedOfPoison) {
      assertThat(expectedOfPoison).hasMessageContaining("poison");
    }
  }

  /** Versions of a key may be repeated by a retry, but never go back. */
  private static void checkHistories(FakeCache<Integer, Integer> cache) {
    cache.history.forEach(
        (key, applied) -> {
          List<Integer> versions =
              applied.stream().filter(Integer.class::isInstance).map(Integer.class::cast).toList();
          assertThat(versions).as("versions of key %s", key).isSorted();
        });
  }

  private static void checkFutures(FakeCache<Integer, Integer> cache, List<Written> written) {
    for (Written write : written) {
      assertThat(write.future()).as("future of %s", write).isDone();
      if (write.future().isCompletedExceptionally()) {
        assertThat(write.future().handle((done, error) -> error).join())
            .isInstanceOfSatisfying(
                WriteFailedException.class,
                e -> assertThat(e.failures()).containsOnlyKeys(write.key()));
      } else {
        assertThat(cache.history.get(write.key()))
            .as("acknowledged, so this or a later write is applied: %s", write)
            .anyMatch(applied -> applied.equals("removed") || (int) applied >= write.version());
      }
    }
  }

  private static void checkLast(FakeCache<Integer, Integer> cache, int key, int version) {
    if (version == 0) {
      assertThat(cache.store).as("removed last").doesNotContainKey(key);
    } else if (version % POISON != 0 || cache.store.getOrDefault(key, 0) == version) {
      assertThat(cache.store).as("written last").containsEntry(key, version);
    }
  }
}
