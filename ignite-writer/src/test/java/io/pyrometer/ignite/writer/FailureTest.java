package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailureTest {
  private final Map<Object, Throwable> told = new ConcurrentHashMap<>();

  private static List<CompletableFuture<Void>> writeAll(
      IgniteWriter<Integer, String> writer, int keys) {
    return IntStream.range(0, keys).mapToObj(key -> writer.write(key, "v")).toList();
  }

  @Test
  void oneBadKeyIsSingledOutAndTheOthersAreWritten() {
    FakeCache<Integer, String> cache = FakeCache.refusing(7, 40);
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).onFailure(failed -> told.put(failed.key(), failed.cause())).open();
    List<CompletableFuture<Void>> futures = writeAll(writer, 100);
    assertThatThrownBy(writer::flush)
        .isInstanceOfSatisfying(
            WriteFailedException.class,
            e -> {
              assertThat(e.failedCount()).isEqualTo(2);
              assertThat(e.failures()).containsOnlyKeys(7, 40);
              assertThat(e.failures().get(7)).hasMessage("not 7");
              assertThat(e.failures().get(40)).hasMessage("not 40");
            });
    assertThat(cache.store).hasSize(98).doesNotContainKeys(7, 40);
    assertThat(futures.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(2);
    assertThatThrownBy(() -> futures.get(7).join())
        .hasRootCauseMessage("not 7")
        .hasMessageContaining("key 7");
    writer.close();
    assertThat(told).containsOnlyKeys(7, 40);
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

  @Test
  void whenNothingSucceedsEntriesAreTriedOneByOne() {
    FakeCache<Integer, String> cache =
        FakeCache.with(
            (call, keys, values) -> {
              throw new IllegalArgumentException("nothing goes");
            });
    IgniteWriter<Integer, String> writer = WriterFixture.oneBatch(cache).open();
    List<CompletableFuture<Void>> futures = writeAll(writer, 3_000);
    assertThatThrownBy(writer::flush)
        .isInstanceOfSatisfying(
            WriteFailedException.class,
            e -> {
              assertThat(e.failedCount()).isEqualTo(3_000);
              assertThat(e.failures()).hasSize(1_000);
            });
    writer.close();
    assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
    int divided = 2 * 3_000 - 1;
    int repeated = 3; // the whole call, which a server that is stopping may refuse
    assertThat(cache.calls.get()).isBetween(3_000, divided + repeated);
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
}
