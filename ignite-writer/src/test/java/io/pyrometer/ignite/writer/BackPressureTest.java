package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ignite.IgniteInterruptedException;
import org.junit.jupiter.api.Test;

class BackPressureTest {
  private final Gate gate = new Gate();
  private final FakeCache<Integer, byte[]> late = new FakeCache<>(gate, (call, k, v) -> {});

  private static int fill(IgniteWriter<Integer, byte[]> writer, int bytes) {
    AtomicInteger key = new AtomicInteger();
    assertThatThrownBy(
            () -> {
              while (key.get() < 1_000_000) {
                writer.write(key.get(), new byte[bytes]);
                key.incrementAndGet();
              }
            })
        .isInstanceOf(WriteTimeoutException.class);
    return key.get();
  }

  @Test
  void bytesThatWaitAreBounded() {
    IgniteWriter<Integer, byte[]> writer =
        WriterFixture.to(late).maxPendingBytes(100_000).maxWait(Duration.ofMillis(20)).open();
    assertThat(fill(writer, 10_000)).as("one more than there is room for").isEqualTo(10);
    assertThat(writer.stats().pendingEntries()).isEqualTo(10);
    assertThat(writer.stats().pendingBytes()).isBetween(100_000L, 111_000L);
    assertThatThrownBy(() -> writer.write(8, new byte[50_000]))
        .as("a larger value in place of a waiting one needs room too")
        .isInstanceOf(WriteTimeoutException.class);
    gate.open();
    writer.close();
    assertThat(writer.stats().pendingBytes()).isZero();
    assertThat(writer.stats().pendingEntries()).isZero();
  }

  @Test
  void writesMergedWhileTheClusterDoesNotAnswerAreBounded() {
    IgniteWriter<Integer, byte[]> writer =
        WriterFixture.to(late).maxPendingBytes(100_000).maxWait(Duration.ofMillis(20)).open();
    AtomicInteger writes = new AtomicInteger();
    AtomicInteger acknowledged = new AtomicInteger();
    assertThatThrownBy(
            () -> {
              while (writes.get() < 1_000_000) {
                writer.write(1, new byte[0]).thenRun(acknowledged::incrementAndGet);
                writes.incrementAndGet();
              }
            })
        .isInstanceOf(WriteTimeoutException.class);
    assertThat(writes.get()).isBetween(900, 1_100);
    assertThat(writer.stats().pendingEntries()).isLessThanOrEqualTo(2);
    gate.open();
    writer.close();
    assertThat(acknowledged.get()).isEqualTo(writes.get());
    assertThat(writer.stats().mergedWrites()).isGreaterThanOrEqualTo(writes.get() - 2);
    assertThat(writer.stats().pendingBytes()).isZero();
  }

  @Test
  void aWaitingWriteCanBeInterrupted() throws Exception {
    IgniteWriter<Integer, byte[]> writer = WriterFixture.to(late).maxPendingBytes(1).open();
    writer.write(0, new byte[0]);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<Boolean> stays = new AtomicReference<>();
    Thread blocked =
        WriterFixture.start(
            () -> {
              try {
                writer.write(1, new byte[0]);
              } finally {
                stays.set(Thread.currentThread().isInterrupted());
              }
            },
            thrown);
    Eventually.waits(blocked);
    blocked.interrupt();
    blocked.join();
    assertThat(thrown.get()).isInstanceOf(IgniteInterruptedException.class);
    assertThat(stays.get()).isTrue();
    gate.open();
    writer.close();
    assertThat(late.store).containsOnlyKeys(0);
  }

  @Test
  void aLargeBatchIsSentWhole() {
    FakeCache<Integer, byte[]> cache = FakeCache.obedient();
    try (IgniteWriter<Integer, byte[]> writer =
        WriterFixture.oneBatch(cache).batchEntries(70_000).open()) {
      for (int key = 0; key < 70_000; key++) {
        writer.write(key, new byte[0]);
      }
    }
    assertThat(cache.store).hasSize(70_000);
  }

  @Test
  void batchesGrowWhileWritesQueueUpAndNeverBeyondTheLargest() {
    try (IgniteWriter<Integer, byte[]> writer = WriterFixture.to(late).batchEntries(256).open()) {
      for (int key = 0; key < 20_000; key++) {
        writer.write(key, new byte[0]);
      }
      gate.open();
    }
    assertThat(late.store).hasSize(20_000);
    assertThat(late.sizes).allMatch(size -> size <= 256).contains(256);
    assertThat(late.calls.get()).isLessThan(20_000 / 100);
  }

  @Test
  void aBatchIsBoundedInBytes() {
    Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
    FakeCache<Integer, byte[]> cache = FakeCache.obedient();
    cache.sending = keys -> sizes.add(keys.size());
    try (IgniteWriter<Integer, byte[]> writer = WriterFixture.oneBatch(cache).open()) {
      for (int key = 0; key < 30; key++) {
        writer.write(key, new byte[key == 15 ? 5_000_000 : 1_000_000]);
      }
    }
    assertThat(cache.store).hasSize(30);
    assertThat(sizes).allMatch(size -> size <= 4).contains(4);
  }
}
