package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ignite.IgniteInterruptedException;
import org.apache.ignite.thread.IgniteThread;
import org.junit.jupiter.api.Test;

class FlushAndCloseTest {
  private final Gate gate = new Gate();
  private final FakeCache<Integer, String> late = new FakeCache<>(gate, (call, k, v) -> {});

  @Test
  void flushWaitsForEverythingWrittenBefore() throws Exception {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).open();
    assertThat(writer.flushAsync()).as("of nothing").isCompleted();
    for (int key = 0; key < 100; key++) {
      writer.write(key, "v");
    }
    CompletableFuture<Void> flushed = writer.flushAsync();
    Eventually.holds("both lanes sent", () -> gate.waiting() == 2);
    assertThat(flushed).isNotDone();
    gate.open();
    flushed.get(20, TimeUnit.SECONDS);
    assertThat(late.store).hasSize(100);
    writer.close();
  }

  @Test
  void anInterruptedFlushCancelsNoWriteAndTheNextFlushReturns() throws Exception {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).open();
    writer.write(1, "v");
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread flusher = WriterFixture.start(writer::flush, thrown);
    Eventually.waits(flusher);
    flusher.interrupt();
    flusher.join();
    assertThat(thrown.get()).isInstanceOf(IgniteInterruptedException.class);
    gate.open();
    writer.flush();
    assertThat(late.store).containsEntry(1, "v");
    writer.close();
  }

  @Test
  void aCancelledFlushLeavesFailuresToTheNext() {
    FakeCache<Integer, String> failing =
        new FakeCache<>(
            gate,
            (call, keys, values) -> {
              throw new IllegalArgumentException("no");
            });
    IgniteWriter<Integer, String> writer = WriterFixture.to(failing).open();
    writer.write(1, "v");
    CompletableFuture<Void> cancelled = writer.flushAsync();
    cancelled.cancel(true);
    gate.open();
    assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
    writer.flush();
    writer.close();
  }

  @Test
  void closeFlushes() {
    FakeCache<Integer, String> cache = FakeCache.obedient();
    IgniteWriter<Integer, String> writer = WriterFixture.to(cache).open();
    CompletableFuture<Void> write = writer.write(1, "v");
    writer.close();
    assertThat(write).isCompleted();
    assertThat(cache.store).containsEntry(1, "v");
    writer.close();
    assertThatThrownBy(() -> writer.write(2, "v"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void closingWhileFullRefusesTheWaitingWriteAndKeepsTheOthers() throws Exception {
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(late).maxPendingBytes(WriterFixture.roomFor(3)).open();
    for (int key = 0; key < 3; key++) {
      writer.write(key, "v");
    }
    AtomicReference<Throwable> refused = new AtomicReference<>();
    Thread blocked = WriterFixture.start(() -> writer.write(99, "v"), refused);
    Eventually.waits(blocked);
    AtomicReference<Throwable> closing = new AtomicReference<>();
    Thread closer = WriterFixture.start(writer::close, closing);
    blocked.join();
    assertThat(refused.get())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("key 99");
    gate.open();
    closer.join();
    assertThat(closing.get()).isNull();
    assertThat(late.store).containsOnlyKeys(0, 1, 2);
  }

  /** b3: a flush after it waited for ever. */
  @Test
  void closeGivesUpAfterItsTimeoutAndSaysWhichKeysAreInDoubt() throws Exception {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).open();
    CompletableFuture<Void> sent = writer.write(1, "v");
    Eventually.holds("sent", () -> gate.waiting() == 1);
    CompletableFuture<Void> unsent = writer.write(1, "w");
    assertThatThrownBy(() -> writer.close(Duration.ofMillis(30)))
        .isInstanceOfSatisfying(
            WriteFailedException.class,
            e -> assertThat(e.failures().get(1)).isInstanceOf(WriteTimeoutException.class));
    assertThat(sent).isCompletedExceptionally();
    assertThat(unsent).isCompletedExceptionally();
    assertThat(writer.flushAsync().handle((done, error) -> error)).isCompleted();
    gate.open();
    assertThat(late.store).containsEntry(1, "v");
  }

  @Test
  void everyFutureIsCompleteWhenAFailedCloseReturnsAlsoWhileFailuresAreReported() throws Exception {
    FakeCache<Integer, String> failing = FakeCache.failing(Fault.Kind.FINAL);
    CountDownLatch listening = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(failing)
            .lanes(1)
            .batchEntries(10)
            .onFailure(
                failed -> {
                  if (failed.key() == 0) {
                    listening.countDown();
                    Eventually.opens(closed);
                  }
                })
            .open();
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int key = 0; key < 10; key++) {
      writes.add(writer.write(key, "v"));
    }
    listening.await();
    writer.close(Duration.ofMillis(20));
    assertThat(writes).allMatch(CompletableFuture::isDone);
    closed.countDown();
  }

  /** Its first call ends when the gate is opened, later ones at once. */
  private FakeCache<Integer, String> firstLate() {
    AtomicInteger calls = new AtomicInteger();
    return new FakeCache<>(
        task -> {
          if (calls.getAndIncrement() == 0) {
            gate.execute(task);
          } else {
            task.run();
          }
        },
        (call, keys, values) -> {});
  }

  @Test
  void f22CloseWaitsForKeysInDoubtSoThatTheNextWriterKeepsTheOrder() throws Exception {
    FakeCache<Integer, String> cache = firstLate();
    IgniteWriter<Integer, String> first =
        WriterFixture.to(cache).writeTimeout(Duration.ofMillis(100)).open();
    first.write(1, "older");
    assertThatThrownBy(first::flush)
        .isInstanceOfSatisfying(
            WriteFailedException.class, failed -> assertThat(failed.isInDoubt()).isTrue());
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread closing = WriterFixture.start(() -> first.close(Duration.ofSeconds(50)), thrown);
    Eventually.waits(closing);
    gate.open();
    closing.join();
    assertThat(first.stats().keysInDoubt()).isZero();
    try (IgniteWriter<Integer, String> second = WriterFixture.to(cache).open()) {
      second.write(1, "newer");
    }
    assertThat(cache.history.get(1)).containsExactly("older", "newer");
    assertThat(cache.keysInTwoCalls).hasValue(0);
  }

  @Test
  void anInterruptDoesNotCutCloseShortAndIsKept() throws Exception {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).open();
    writer.write(1, "v");
    AtomicReference<Boolean> stillInterrupted = new AtomicReference<>();
    Thread closer =
        WriterFixture.start(
            () -> {
              Thread.currentThread().interrupt();
              writer.close();
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            },
            new AtomicReference<>());
    Eventually.holds("sent", () -> gate.waiting() == 1);
    gate.open();
    closer.join();
    assertThat(late.store).containsEntry(1, "v");
    assertThat(stillInterrupted.get()).isTrue();
  }

  @Test
  void theWritersOwnThreadsMustNotWait() {
    FakeCache<Integer, String> cache = new FakeCache<>(gate, (call, k, v) -> {});
    IgniteWriter<Integer, String> writer = WriterFixture.to(cache).open();
    CompletableFuture<Void> flushInside = writer.write(1, "v").thenRun(writer::flush);
    CompletableFuture<Void> closeInside = writer.write(1, "v").thenRun(writer::close);
    CompletableFuture<Void> writeInside =
        writer.write(1, "v").thenCompose(done -> writer.write(2, "w"));
    gate.open();
    assertThatThrownBy(flushInside::join).hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(closeInside::join).hasCauseInstanceOf(IllegalStateException.class);
    writeInside.join();
    assertThat(cache.store).containsEntry(2, "w");
    writer.close();
  }

  @Test
  void threadsOfIgniteAreNeverBlocked() throws Exception {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).maxPendingBytes(1).open();
    writer.write(1, "v");
    Map<Runnable, Class<? extends Exception>> waits =
        Map.of(
            () -> writer.write(2, "v"),
            WriteTimeoutException.class,
            writer::flush,
            IllegalStateException.class,
            writer::close,
            IllegalStateException.class);
    for (Map.Entry<Runnable, Class<? extends Exception>> wait : waits.entrySet()) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      IgniteThread thread =
          new IgniteThread(
              "test",
              "sys-stripe",
              () -> {
                try {
                  wait.getKey().run();
                } catch (RuntimeException e) {
                  thrown.set(e);
                }
              });
      thread.start();
      thread.join(20_000);
      assertThat(thrown.get()).isInstanceOf(wait.getValue());
    }
    gate.open();
    writer.close();
    assertThat(late.store).containsOnlyKeys(1);
  }
}
