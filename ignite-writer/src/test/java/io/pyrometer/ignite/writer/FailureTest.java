package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static List<CompletableFuture<Void>> writeAll(
      IgniteWriter<Integer, String> writer, int keys) {
    return IntStream.range(0, keys).mapToObj(key -> writer.write(key, "v")).toList();
  }

  @Test
  void aPartialFailureNamesItsKeysAndNothingIsSentAgain() {
    FakeCache<Integer, String> cache =
        FakeCache.with(
            (call, keys, values) -> {
              throw new FakeCache.Refusal(
                  Fault.Kind.KEYS, keys.stream().filter(key -> key % 10 == 0).toList());
            });
    IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(cache).open();
    List<CompletableFuture<Void>> futures = writeAll(writer, 30);
    assertThatThrownBy(writer::flush)
        .isInstanceOfSatisfying(
            WriteFailedException.class, e -> assertThat(e.failures()).containsOnlyKeys(0, 10, 20));
    writer.close();
    assertThat(futures.get(1)).isCompleted();
    assertThat(cache.calls).hasValue(1);
  }

  @Test
  void aPassingFaultIsMetByTryingAgainAndOnlyTheFailedKeysAreSent() {
    FakeCache<Integer, String> cache =
        FakeCache.with(
            (call, keys, values) -> {
              if (call < 4) {
                throw new FakeCache.Refusal(Fault.Kind.PASSING, keys.stream().limit(2).toList());
              }
            });
    try (IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(cache).open()) {
      writeAll(writer, 30);
      writer.flush();
      assertThat(writer.stats().retries()).isEqualTo(3);
    }
    assertThat(cache.store).hasSize(30);
    assertThat(cache.sizes).containsExactly(30, 2, 2, 2);
  }

  @Test
  void aPassingFaultIsMetUntilTheDeadlineOfTheWrite() {
    FakeCache<Integer, String> cache = FakeCache.failing(Fault.Kind.PASSING);
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).lanes(1).writeTimeout(Duration.ofSeconds(1)).open();
    long start = System.nanoTime();
    writeAll(writer, 5);
    assertThatThrownBy(writer::flush)
        .isInstanceOfSatisfying(
            WriteFailedException.class, e -> assertThat(e.failedCount()).isEqualTo(5));
    writer.close();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(1_000_000_000);
    assertThat(writer.stats().keysInDoubt()).as("a passing fault leaves no doubt").isZero();
  }

  @Test
  void aWriteThatIsNotSentInTimeFailsAndIsNotInDoubt() {
    FakeCache<Integer, String> cache = FakeCache.obedient();
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache)
            .linger(Duration.ofDays(1))
            .writeTimeout(Duration.ofMillis(200))
            .open();
    assertThatThrownBy(() -> writer.write(1, "v").get(20, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(WriteTimeoutException.class)
        .hasStackTraceContaining("was not sent");
    assertThat(cache.calls).hasValue(0);
    assertThat(writer.stats().keysInDoubt()).isZero();
    assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
    writer.close();
    assertThat(writer.stats().pendingEntries()).as("freed after the future is done").isZero();
  }

  /** A server that is stopping refuses calls without saying why. */
  @Test
  void aCallOfOneKeyIsRepeatedAsOneOfSeveralIs() {
    FakeCache<Integer, String> cache =
        FakeCache.with(
            (call, keys, values) -> {
              if (call < 3) {
                throw new FakeCache.Refusal(Fault.Kind.KEYS, List.of());
              }
            });
    try (IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(cache).open()) {
      writeAll(writer, 1);
      writer.flush();
    }
    assertThat(cache.store).hasSize(1);
  }

  @Test
  void aFinalFaultFailsTheBatchAtOnce() {
    FakeCache<Integer, String> cache = FakeCache.failing(Fault.Kind.FINAL);
    IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(cache).open();
    writeAll(writer, 50);
    assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
    writer.close();
    assertThat(cache.calls).hasValue(1);
  }

  @Test
  void aDeadLetterHasTheLastValueOfMergedWritesAndNoneForARemoval() {
    FakeCache<Integer, String> cache = FakeCache.refusing(1, 2);
    List<FailedWrite<Integer, String>> letters = new CopyOnWriteArrayList<>();
    IgniteWriter<Integer, String> writer =
        WriterFixture.oneBatch(cache).onFailure(letters::add).open();
    writer.write(1, "first");
    writer.write(1, "last");
    writer.write(2, "v");
    writer.remove(2);
    assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
    writer.close();
    assertThat(letters)
        .extracting(FailedWrite::value)
        .containsExactlyInAnyOrder(Optional.of("last"), Optional.empty());
    assertThat(letters).noneMatch(FailedWrite::inDoubt);
  }

  @Test
  void aKeyWhoseMethodsThrowFailsAndLeavesTheLaneAlive() {
    FakeCache<Object, String> cache = new FakeCache<>(Runnable::run, (call, k, v) -> {});
    cache.locksInOrder = true;
    IgniteWriter<Object, String> writer =
        WriterFixture.to(cache).lanes(1).batchEntries(9).linger(Duration.ofDays(1)).open();
    writer.write(new StrangeKey(), "v");
    CompletableFuture<Void> strange = writer.write(new StrangeKey(), "v");
    assertThatThrownBy(writer::flush).isInstanceOf(WriteFailedException.class);
    assertThatThrownBy(strange::join).hasMessageContaining("StrangeKey");
    writer.write(5, "v");
    writer.close();
    assertThat(cache.store).containsKey(5);
  }

  private static final class StrangeKey implements Comparable<StrangeKey>, java.io.Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public int compareTo(StrangeKey other) {
      throw new UnsupportedOperationException("no order");
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 7;
    }

    @Override
    public String toString() {
      throw new UnsupportedOperationException("no text");
    }
  }

  @Test
  void aListenerThatThrowsAnErrorStopsNothing() throws Exception {
    FakeCache<Integer, String> cache = FakeCache.refusing(1);
    long before = threads();
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache)
            .lanes(1)
            .onFailure(
                failed -> {
                  throw new AssertionError("listener");
                })
            .open();
    assertThatThrownBy(() -> writer.write(1, "v").get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class);
    assertThatThrownBy(() -> writer.flush()).isInstanceOf(WriteFailedException.class);
    writer.write(2, "v").get(20, TimeUnit.SECONDS);
    writer.close();
    Eventually.holds("no threads left", () -> threads() <= before);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ignite-writer"))
        .count();
  }
}
