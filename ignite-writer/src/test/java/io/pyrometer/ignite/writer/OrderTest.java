package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderTest {
  private static final List<String> TWO_NODES =
      List.of("a", "b", "a", "b", "a", "b", "a", "b", "b", "a", "b", "a", "b", "a", "b", "a");

  /** Fault B12: a move held back the writes of all keys until the slowest lane was drained. */
  @Test
  void aMovedKeyWaitsUntilItsOwnOldLaneIsDrainedAndForNoOther() throws Exception {
    Gate gate = new Gate();
    FakeCache<Integer, String> cache = new FakeCache<>(gate, (call, k, v) -> {});
    FakeTopology topology = new FakeTopology();
    IgniteWriter<Integer, String> writer = WriterFixture.to(cache, topology).open();
    writer.write(1, "old");
    Eventually.holds("sent", () -> gate.waiting() == 1);
    topology.place(TWO_NODES);
    Eventually.holds("moved", () -> writer.stats().topologyChanges() == 1);
    writer.write(1, "new");
    writer.write(2, "new");
    var flushed = writer.flushAsync();
    Eventually.holds("the key of another lane is sent", () -> gate.waiting() == 2);
    assertThat(cache.calls).as("the moved key waits for its old lane").hasValue(2);
    assertThat(flushed).isNotDone();
    gate.open();
    flushed.join();
    assertThat(cache.keysInTwoCalls).hasValue(0);
    assertThat(cache.history.get(1)).containsExactly("old", "new");
    assertThat(cache.store).containsEntry(2, "new");
    writer.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cachesThatLockInOrderGetSortedKeysAndOthersThoseOfAPartitionTogether(boolean locksInOrder) {
    List<Integer> seen = new ArrayList<>();
    FakeCache<Integer, String> watched =
        new FakeCache<>(Runnable::run, (call, keys, values) -> seen.addAll(keys));
    watched.locksInOrder = locksInOrder;
    try (IgniteWriter<Integer, String> writer =
        WriterFixture.to(watched).lanes(1).batchEntries(50).linger(Duration.ofDays(1)).open()) {
      for (int i = 0; i < 50; i++) {
        writer.write((i * 37) % 50, "v");
      }
    }
    FakeTopology topology = new FakeTopology();
    Comparator<Integer> byPartition = Comparator.comparingInt(topology::partition);
    Comparator<Integer> order = Comparator.naturalOrder();
    assertThat(seen)
        .hasSize(50)
        .isSortedAccordingTo(locksInOrder ? order : byPartition.thenComparing(order));
  }

  @Test
  void whileRepeatedKeysAreMergedTheyWaitForMoreUnlessSomebodyFlushes() throws Exception {
    Gate first = new Gate();
    AtomicLong endedAt = new AtomicLong();
    FakeCache<Integer, String> cache =
        new FakeCache<>(
            task -> (first.isOpen() ? ForkJoinPool.commonPool() : first).execute(task),
            (call, keys, values) -> {
              if (call == 2) {
                Thread.sleep(
                    100); // the next may then wait for twice that, were it not for the limit
                endedAt.set(System.nanoTime());
              }
            });
    try (IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).linger(Duration.ofMillis(10)).open()) {
      writer.write(1, "first");
      Eventually.holds("sent", () -> first.waiting() == 1);
      CompletableFuture<Void> merged = writer.write(1, "second");
      writer.write(1, "third");
      first.open();
      merged.join();
      CompletableFuture<Void> waiting = writer.write(1, "fourth");
      writer.write(2, "of another lane, which has lingered as long").join();
      boolean sent = waiting.isDone();
      boolean mayBeSent = System.nanoTime() - endedAt.get() >= 100_000_000;
      assertThat(sent)
          .as("sent before 100 ms, and twice the time of the call")
          .isIn(false, mayBeSent);
      writer.write(1, "fifth");
      writer.flush();
      waiting.join();
      assertThat(cache.history.get(1)).startsWith("first", "third").endsWith("fifth");
    }
  }
}
