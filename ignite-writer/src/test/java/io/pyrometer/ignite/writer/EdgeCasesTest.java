package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.ignite.thread.IgniteThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases at the edges: bad values, doubts, silent nodes, blocking listeners, limits. */
@Timeout(60)
class EdgeCasesTest {
  private final Gate gate = new Gate();
  private final FakeCache<Integer, Object> late = new FakeCache<>(gate, (call, k, v) -> {});

  private record Bad(Throwable thrown) implements java.io.Serializable {}

  @Test
  void aValueThatCannotBeEncodedFailsWhereItIsWrittenAndNoOther() {
    FakeCache<Integer, Object> cache = FakeCache.obedient();
    cache.registering =
        object -> {
          if (object instanceof Bad bad && bad.thrown instanceof Error error) {
            throw error;
          }
          if (object instanceof Bad bad && bad.thrown instanceof RuntimeException failure) {
            throw failure;
          }
        };
    try (IgniteWriter<Integer, Object> writer = WriterFixture.to(cache).open()) {
      IntStream.range(0, 900).forEach(key -> writer.write(key, "v"));
      for (Error error :
          List.of(new AssertionError("a"), new StackOverflowError(), new OutOfMemoryError("o"))) {
        assertThatThrownBy(() -> writer.write(1, new Bad(error))).isSameAs(error);
      }
      for (RuntimeException odd :
          List.of(
              new ArithmeticException("odd"),
              new IllegalArgumentException("odd"),
              new IllegalStateException("odd"))) {
        assertThatThrownBy(() -> writer.write(7, new Bad(odd)))
            .isInstanceOf(WriteFailedException.class)
            .hasMessageContaining("key 7")
            .hasRootCauseMessage("odd");
      }
      assertThatThrownBy(() -> writer.write(8, new Object()))
          .isInstanceOf(WriteFailedException.class);
    }
    assertThat(cache.store).hasSize(900);
  }

  @Test
  void keysThatFailNeverFailTheOthersOfTheirBatch() {
    int every = 40;
    FakeCache<Integer, Object> cache =
        FakeCache.with(
            (call, keys, values) -> {
              if (keys.stream().anyMatch(key -> key % (2 * every) < every)) {
                throw new IllegalArgumentException("bad");
              }
            });
    IgniteWriter<Integer, Object> writer = WriterFixture.oneBatch(cache).open();
    List<CompletableFuture<Void>> writes =
        IntStream.range(0, 4_000).mapToObj(key -> writer.write(key, "v")).toList();
    assertThatThrownBy(writer::flush)
        .isInstanceOfSatisfying(
            WriteFailedException.class,
            failed -> {
              assertThat(failed.failedCount()).isEqualTo(2_000);
              assertThat(failed.failures()).hasSize(1_000);
            });
    writer.close();
    for (int key = 0; key < 4_000; key++) {
      assertThat(writes.get(key).isCompletedExceptionally())
          .as("key %s", key)
          .isEqualTo(key % (2 * every) < every);
    }
  }

  @Test
  void callsThatALockedKeyHoldsUpDelayNoLaterWriteOfItsLane() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    AtomicBoolean locked = new AtomicBoolean(true);
    FakeCache<Integer, Object> cache =
        FakeCache.with(
            (call, keys, values) -> {
              if (keys.contains(1) && locked.get()) {
                if (call > 1) {
                  Eventually.opens(released);
                }
                throw new FakeCache.Refusal(Fault.Kind.LOCKED, List.of());
              }
            });
    try (IgniteWriter<Integer, Object> writer = WriterFixture.to(cache).lanes(1).open()) {
      CompletableFuture<Void> waiting = writer.write(1, "v");
      Eventually.holds("called again", () -> cache.calls.get() > 1);
      for (int key = 2; key < 50; key++) {
        writer.write(key, "v").get(20, TimeUnit.SECONDS);
      }
      assertThat(waiting).isNotDone();
      locked.set(false);
      released.countDown();
      waiting.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void bytesAreThoseOfTheEncodedValue() {
    Codec codec = new Codec(FakeCache.obedient()::toBinary);
    assertThat(bytes(codec, BigInteger.ONE.shiftLeft(8 << 20))).isGreaterThan(1 << 20);
    List<byte[]> arrays = new ArrayList<>();
    IntStream.range(0, 64).forEach(i -> arrays.add(new byte[1]));
    IntStream.range(0, 20).forEach(i -> arrays.add(new byte[1 << 20]));
    assertThat(bytes(codec, arrays)).isBetween(20L << 20, 21L << 20);
    assertThat(bytes(codec, List.of(new int[1_000]))).isGreaterThan(4_000);
    assertThat(bytes(codec, Map.of(1, new int[1_000]))).isGreaterThan(4_000);
    assertThat(bytes(codec, new Object[] {new int[1_000]})).isGreaterThan(4_000);
    assertThat(bytes(codec, Optional.class)).isPositive();
    assertThatThrownBy(() -> bytes(codec, new Object()));
  }

  private static long bytes(Codec codec, Object value) {
    Codec.Size size = new Codec.Size();
    codec.encode(value, size);
    return size.bytes;
  }

  @Test
  void keysAreTheSameIfTheirClassesAreAndKeysOfCollectionsAreRefused() {
    FakeCache<Object, Object> cache = FakeCache.obedient();
    try (IgniteWriter<Object, Object> writer =
        WriterFixture.to(cache).linger(Duration.ofDays(1)).open()) {
      CompletableFuture<Void> date = writer.write(new java.util.Date(77), 1);
      assertThat(writer.write(new java.sql.Timestamp(77), 2)).isNotSameAs(date);
      assertThat(writer.write(new java.util.Date(77), 3)).isSameAs(date);
      for (Object key : List.of(List.of(1), new int[1], Map.of())) {
        assertThatThrownBy(() -> writer.write(key, 1)).isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void aFailureIsReportedByTheNextFlushOfAnyThreadAndOnlyByThatAndNeverByClose() throws Exception {
    FakeCache<Integer, Object> cache = FakeCache.refusing(1);
    IgniteWriter<Integer, Object> writer = WriterFixture.to(cache).lanes(1).open();
    CompletableFuture<Void> failed = writer.write(1, "v");
    assertThat(WriterFixture.causeOf(failed)).hasMessage("not 1");
    FutureTask<Throwable> other =
        new FutureTask<>(() -> writer.flushAsync().handle((done, error) -> error).join());
    new Thread(other).start();
    assertThat(other.get()).hasCauseInstanceOf(WriteFailedException.class);
    writer.flush();
    assertThat(WriterFixture.causeOf(writer.write(1, "v"))).hasMessage("not 1");
    writer.close();
  }

  @Test
  void aListenerThatBlocksHoldsUpNeitherFuturesNorOtherWrites() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    FakeCache<Integer, Object> cache = FakeCache.refusing(1);
    IgniteWriter<Integer, Object> writer =
        WriterFixture.to(cache).onFailure(failed -> Eventually.opens(released)).open();
    assertThat(WriterFixture.causeOf(writer.write(1, "v"))).hasMessage("not 1");
    IntStream.range(2, 100).forEach(key -> writer.write(key, "v").join());
    Eventually.holds("the listener has one", () -> writer.stats().pendingEntries() == 1);
    released.countDown();
    assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
    writer.close();
    assertThat(writer.stats().pendingEntries()).isZero();
  }

  @Test
  void aBlockedCommonPoolDelaysNoWrite() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    for (int i = 0; i <= ForkJoinPool.getCommonPoolParallelism(); i++) {
      ForkJoinPool.commonPool().execute(() -> Eventually.opens(released));
    }
    try (IgniteWriter<Integer, Object> writer =
        WriterFixture.to(FakeCache.<Integer, Object>obedient()).open()) {
      for (int key = 0; key < 100; key++) {
        writer.write(key, "v").get(20, TimeUnit.SECONDS);
      }
    } finally {
      released.countDown();
    }
  }

  @Test
  void oneSilentNodeDoesNotStopWritesToOthers() {
    FakeTopology topology = new FakeTopology();
    topology.place(IntStream.range(0, FakeTopology.PARTITIONS).mapToObj(p -> p % 2).toList());
    FakeCache<Integer, Object> cache = FakeCache.obedient();
    CountDownLatch answer = new CountDownLatch(1);
    cache.sending =
        keys -> {
          if (keys.stream().anyMatch(key -> topology.partition(key) % 2 == 0)) {
            Eventually.opens(answer);
          }
        };
    try (IgniteWriter<Integer, Object> writer =
        WriterFixture.<Integer, Object>plain(cache, topology, 1)
            .maxPendingBytes(WriterFixture.roomFor(100))
            .maxWait(Duration.ZERO)
            .open()) {
      int accepted = 0;
      for (int key = 0; key < 2_000; key++) {
        if (topology.partition(key) % 2 == 0) {
          accepted += isAccepted(writer, key) ? 1 : 0;
        }
      }
      assertThat(accepted).isEqualTo(50);
      for (int key = 0; key < 2_000; key++) {
        if (topology.partition(key) % 2 == 1) {
          writer.write(key, "v").join();
        }
      }
      answer.countDown();
    }
  }

  private static boolean isAccepted(IgniteWriter<Integer, Object> writer, int key) {
    try {
      return !writer.write(key, "v").isCompletedExceptionally();
    } catch (WriteTimeoutException full) {
      assertThat(full.isRetriable()).isTrue();
      return false;
    }
  }

  /** The first call of key 5 breaks: it is applied or not. */
  private static FakeCache<Integer, Object> breaking(boolean applies) {
    AtomicBoolean broken = new AtomicBoolean(true);
    return FakeCache.with(
        (call, keys, values) -> {
          if (keys.contains(5) && broken.getAndSet(false)) {
            throw new FakeCache.Refusal(Fault.Kind.IN_DOUBT, applies ? List.of(-1) : List.of());
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"true, 100", "false, 100", "false, 0"})
  void aWriteInDoubtIsReadBackAndAcknowledgedOrSentAgain(boolean applied, int millis) {
    FakeCache<Integer, Object> cache = breaking(applied);
    try (IgniteWriter<Integer, Object> writer =
        WriterFixture.to(cache).lanes(1).inDoubtFor(Duration.ofMillis(millis)).open()) {
      writer.write(5, "v").join();
      assertThat(cache.store).containsEntry(5, "v");
      assertThat(cache.reads).hasValue(1);
      assertThat(cache.calls).hasValue(applied ? 1 : 2);
    }
  }

  @Test
  void aNewerWriteWaitsForTheDoubtOfItsKeyAndOthersDoNot() throws Exception {
    FakeCache<Integer, Object> cache = breaking(false);
    try (IgniteWriter<Integer, Object> writer =
        WriterFixture.to(cache).lanes(1).inDoubtFor(ChronoUnit.FOREVER.getDuration()).open()) {
      CompletableFuture<Void> older = writer.write(5, "older");
      Eventually.holds("in doubt", () -> writer.stats().keysInDoubt() == 1);
      CompletableFuture<Void> newer = writer.write(5, "newer");
      writer.write(6, "other").join();
      assertThat(older).isNotDone();
      assertThat(newer).isNotDone();
      cache.nodesHaveLeft = true;
      newer.join();
      older.join();
      assertThat(cache.history.get(5)).containsExactly("older", "newer");
      assertThat(writer.stats().keysInDoubt()).isZero();
    }
  }

  @Test
  void writesInDoubtFailAtTheirDeadlineAndAnUnansweredCallFreesItsLane() throws Exception {
    IgniteWriter<Integer, Object> writer =
        WriterFixture.to(late).lanes(1).writeTimeout(Duration.ofSeconds(2)).open();
    CompletableFuture<Void> sent = writer.write(1, "sent");
    assertThat(WriterFixture.causeOf(sent)).isInstanceOf(WriteTimeoutException.class);
    Eventually.holds("in doubt", () -> writer.stats().keysInDoubt() == 1);
    CompletableFuture<Void> newer = writer.write(1, "newer");
    assertThat(WriterFixture.causeOf(newer)).isInstanceOf(WriteTimeoutException.class);
    CompletableFuture<Void> other = writer.write(2, "v");
    Eventually.holds("the lane goes on", () -> gate.waiting() == 2);
    gate.open();
    other.handle((done, error) -> done).get(20, TimeUnit.SECONDS);
    Eventually.holds("answered, so no doubt", () -> writer.stats().keysInDoubt() == 0);
    writer.write(1, "last").get(20, TimeUnit.SECONDS);
    assertThat(late.history.get(1)).containsExactly("sent", "last");
    assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
    writer.close();
    assertThat(writer.stats().pendingEntries()).isZero();
    assertThat(writer.stats().pendingBytes()).isZero();
  }

  @Test
  void withoutRepetitionsAPassingFaultFailsTheWriteAsRetriable() {
    FakeCache<Integer, Object> cache = FakeCache.failing(Fault.Kind.PASSING);
    List<FailedWrite<Integer, Object>> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
    IgniteWriter<Integer, Object> writer =
        WriterFixture.to(cache).neverRepeat().onFailure(failures::add).open();
    writer.write(1, "v");
    assertThatThrownBy(writer::flush)
        .isInstanceOfSatisfying(
            WriterException.class, failed -> assertThat(failed.isRetriable()).isTrue());
    writer.close();
    assertThat(cache.calls).hasValue(1);
    assertThat(failures)
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.inDoubt()).isTrue();
              assertThat(failed.retriable()).isTrue();
            });
  }

  @Test
  void aClassThatIgniteDoesNotRegisterFailsItsOwnWritesInTimeAndNoOthers() throws Exception {
    FakeCache<Integer, Object> cache = FakeCache.obedient();
    CountDownLatch registered = new CountDownLatch(1);
    cache.registering =
        object -> {
          try {
            registered.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
          }
        };
    IgniteWriter<Integer, Object> writer =
        WriterFixture.to(cache).maxWait(Duration.ofSeconds(1)).open();
    assertThatThrownBy(() -> writer.write(1, new Bad(new Error())))
        .isInstanceOf(WriteTimeoutException.class)
        .hasMessageContaining("Bad");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    writer.write(2, "string").get(20, TimeUnit.SECONDS);
    IgniteWriter<Integer, Object> patient =
        WriterFixture.to(cache).maxWait(Duration.ofMinutes(1)).open();
    FutureTask<Boolean> onIgnitesThread = new FutureTask<>(() -> isWritten(patient));
    new IgniteThread("test", "sys-stripe", onIgnitesThread).start();
    assertThat(onIgnitesThread.get(20, TimeUnit.SECONDS)).as("it does not wait a minute").isFalse();
    registered.countDown();
    Eventually.holds("registered", () -> isWritten(writer));
    writer.close();
    patient.close();
    assertThat(cache.store).containsOnlyKeys(1, 2);
  }

  private static boolean isWritten(IgniteWriter<Integer, Object> writer) {
    try {
      writer.write(1, new Bad(new Error())).join();
      return true;
    } catch (WriteTimeoutException notRegistered) {
      return false;
    }
  }
}
