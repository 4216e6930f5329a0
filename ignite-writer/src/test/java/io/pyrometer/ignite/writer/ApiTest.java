package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ways of writing beside write and flush, and what can be observed. */
@Timeout(60)
class ApiTest {
  private final Gate gate = new Gate();
  private final FakeCache<Integer, String> late = new FakeCache<>(gate, (call, k, v) -> {});

  @Test
  void tryWriteTakesWhatThereIsRoomForAndNeverWaits() {
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(late).maxPendingEntries(10).backPressure(BackPressure.block()).open();
    int taken = 0;
    for (int key = 0; key < 100; key++) {
      taken += writer.tryWrite(key, "v").isPresent() ? 1 : 0;
    }
    assertThat(taken).isBetween(1, 10);
    assertThat(writer.stats().blockedNanos().count()).isZero();
    gate.open();
    writer.flush();
    assertThat(late.store).hasSize(taken);
    assertThat(writer.tryWrite(7, "again")).isPresent();
    writer.close();
    assertThat(late.store).containsEntry(7, "again");
    assertThatThrownBy(() -> writer.tryWrite(1, "v")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void backPressureMayFailAtOnce() {
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(late).maxPendingEntries(1).backPressure(BackPressure.fail()).open();
    writer.write(1, "v");
    assertThatThrownBy(() -> writer.write(2, "v"))
        .isInstanceOf(WriterFullException.class)
        .hasMessageContaining("was not accepted");
    gate.open();
    writer.close();
    assertThat(late.store).containsOnlyKeys(1);
    assertThat(writer.stats().pendingEntries()).isZero();
  }

  @Test
  void aDeadLetterHasTheLastValueOfMergedWritesAndNoneForARemoval() {
    FakeCache<Integer, String> cache =
        new FakeCache<>(
            gate,
            (call, keys, values) -> {
              throw new IllegalArgumentException("no");
            });
    List<FailedWrite<Integer, String>> letters = new CopyOnWriteArrayList<>();
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache)
            .lanes(1)
            .batch(9, 9)
            .linger(Duration.ofDays(1))
            .onFailure(letters::add)
            .open();
    writer.write(1, "first");
    writer.write(1, "last");
    writer.write(2, "v");
    writer.remove(2);
    CompletableFuture<Void> flush = writer.flushAsync();
    gate.open();
    assertThatThrownBy(flush::join).hasCauseInstanceOf(WriteFailedException.class);
    writer.close();
    assertThat(letters)
        .extracting(FailedWrite::value)
        .containsExactlyInAnyOrder(Optional.of("last"), Optional.empty());
    assertThat(letters).noneMatch(FailedWrite::inDoubt);
  }

  @Test
  void latenciesAreMeasured() throws Exception {
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(late).lanes(1).maxPendingEntries(2).open();
    writer.write(1, "v");
    writer.write(2, "v");
    Thread blocked = new Thread(() -> writer.write(3, "v"));
    blocked.start();
    Eventually.waits(blocked);
    gate.open();
    blocked.join();
    writer.close();
    WriterStats stats = writer.stats();
    assertThat(stats.acknowledgementNanos().max()).isPositive();
    assertThat(stats.blockedNanos().count()).isEqualTo(1);
    assertThat(stats.blockedNanos().p99()).isPositive();
    assertThat(stats.queueAgeNanos().count()).isEqualTo(stats.batches());
    assertThat(stats.batchEntries().sum()).isEqualTo(3);
    assertThat(stats.toString()).contains("3 entries finished", "p99 of queue age");
  }

  @Test
  void percentilesAreAtMostAnEighthTooHigh() {
    Histogram histogram = new Histogram();
    assertThat(histogram.read().p99()).isZero();
    for (long value = 0; value <= 100_000; value++) {
      histogram.record(value);
    }
    WriterStats.Distribution read = histogram.read();
    assertThat(read.median()).isBetween(50_000L, 56_250L);
    assertThat(read.p99()).isBetween(99_000L, 100_000L);
    assertThat(read.max()).isEqualTo(100_000);
    assertThat(read.count()).isEqualTo(100_001);
    assertThat(read.sum()).isEqualTo(5_000_050_000L);
    histogram.record(Long.MAX_VALUE);
    histogram.record(-5);
    assertThat(histogram.read().max()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void micrometerShowsTheStatistics() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).open();
    new WriterMetrics(writer, Tags.of("cache", "orders")).bindTo(registry);
    writer.write(1, "v");
    assertThat(registry.get("ignite.writer.pending.entries").gauge().value()).isEqualTo(1);
    gate.open();
    writer.flush();
    assertThat(
            registry.get("ignite.writer.entries").tag("cache", "orders").functionCounter().count())
        .isEqualTo(1);
    assertThat(registry.get("ignite.writer.acknowledgement").functionTimer().count()).isEqualTo(1);
    assertThat(registry.get("ignite.writer.queue.age.p99").timeGauge().value()).isPositive();
    writer.close();
  }
}
