package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages of callers that block, for ever or until something else has happened. */
@Timeout(60)
class BlockedStagesTest {
  private static final int WRITES = 1_000;

  private final CountDownLatch released = new CountDownLatch(1);
  private final FakeCache<Integer, String> cache = FakeCache.obedient();

  @AfterEach
  void release() {
    released.countDown();
  }

  private static List<CompletableFuture<Void>> writeBatch(IgniteWriter<Integer, String> writer) {
    return IntStream.range(0, WRITES).mapToObj(key -> writer.write(key, "v")).toList();
  }

  @Test
  void eachStageMayWaitForAllWritesOfItsBatch() throws Exception {
    try (IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(cache).open()) {
      List<CompletableFuture<Void>> writes = writeBatch(writer);
      List<CompletableFuture<Void>> stages = new ArrayList<>();
      writes.forEach(
          write -> stages.add(write.thenRun(() -> writes.forEach(CompletableFuture::join))));
      writer.flush();
      CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new))
          .get(40, TimeUnit.SECONDS);
    }
  }

  @Test
  void aStageThatNeverReturnsHoldsUpNoFutureNoFlushAndNoRoom() throws Exception {
    try (IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(cache).open()) {
      List<CompletableFuture<Void>> writes = writeBatch(writer);
      writes.forEach(write -> write.thenRun(() -> Eventually.opens(released)));
      writer.flush();
      assertThat(writes).allMatch(CompletableFuture::isDone);
      Eventually.holds("all room is free", () -> writer.stats().pendingEntries() == 0);
    }
  }

  @Test
  void aWriteThatTimesOutIsCompleteWhateverTheStagesOfOthersDo() throws Exception {
    Gate gate = new Gate();
    FakeCache<Integer, String> late = new FakeCache<>(gate, (call, keys, values) -> {});
    IgniteWriter<Integer, String> writer =
        WriterFixture.oneBatch(late).writeTimeout(Duration.ofMillis(200)).open();
    List<CompletableFuture<Void>> writes = writeBatch(writer);
    writes.forEach(write -> write.whenComplete((done, e) -> Eventually.opens(released)));
    Eventually.holds("complete", () -> writes.stream().allMatch(CompletableFuture::isDone));
    assertThat(writes).allMatch(CompletableFuture::isCompletedExceptionally);
    gate.open();
    released.countDown();
    writer.close();
  }

  @Test
  void moreBlockedStagesThanThreadsStopNoWrites() throws Exception {
    IgniteWriter<Integer, String> writer =
        WriterFixture.oneBatch(cache).with(own -> own.stageThreads = 2).open();
    for (int key = 0; key < 4; key++) {
      CompletableFuture<Void> write = writer.write(key, "v");
      write.thenRun(() -> Eventually.opens(released));
      writer.flush();
      assertThat(write).isCompleted();
    }
    writer.write(1_000, "v");
    writer.flush();
    writer.close();
    assertThat(cache.store).hasSize(5);
  }

  @Test
  void closeReturnsWithAllFuturesCompleteWhileStagesBlock() throws Exception {
    Gate gate = new Gate();
    FakeCache<Integer, String> late = new FakeCache<>(gate, (call, keys, values) -> {});
    IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(late).open();
    List<CompletableFuture<Void>> writes = writeBatch(writer);
    writes.forEach(write -> write.whenComplete((done, e) -> Eventually.opens(released)));
    FutureTask<Boolean> closing =
        new FutureTask<>(
            () -> {
              try {
                writer.close(Duration.ofMillis(50));
                return false;
              } catch (WriteFailedException gaveUp) {
                return gaveUp.failedCount() == WRITES;
              }
            });
    new Thread(closing).start();
    assertThat(closing.get(40, TimeUnit.SECONDS)).isTrue();
    assertThat(writes).allMatch(CompletableFuture::isDone);
    gate.open();
  }
}
