package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
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
        .hasMessageContaining("was not taken");
    gate.open();
    writer.close();
    assertThat(late.store).containsOnlyKeys(1);
    assertThat(writer.stats().pendingEntries()).isZero();
  }

  @Test
  void operationsAreNeitherMergedNorRepeatedAndKeepTheirKeysOrder() {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).lanes(1).allowInvoke().open();
    CompletableFuture<Boolean> first = writer.putIfAbsent(1, "a");
    CompletableFuture<Boolean> second = writer.putIfAbsent(1, "b");
    writer.write(1, "c");
    writer.write(1, "d");
    CompletableFuture<String> appended =
        writer.invoke(
            1,
            (entry, arguments) -> {
              entry.setValue(entry.getValue() + arguments[0]);
              return entry.getValue();
            },
            "!");
    writer.remove(1);
    CompletableFuture<Boolean> third = writer.putIfAbsent(1, "e");
    writer.write(1, "f");
    gate.open();
    writer.flush();
    assertThat(first.join()).isTrue();
    assertThat(second.join()).isFalse();
    assertThat(appended.join()).isEqualTo("d!");
    assertThat(third.join()).isTrue();
    assertThat(late.history.get(1)).containsExactly("a", "d", "d!", "removed", "e", "f");
    assertThat(writer.stats().mergedWrites()).isEqualTo(1);
    writer.close();
  }

  @Test
  void anOperationThatMeetsAPassingFaultFailsAndIsNotRepeated() {
    FakeCache<Integer, String> cache =
        new FakeCache<>(
            Runnable::run,
            (call, keys, values) -> {
              throw new FakeCache.Refusal(Fault.Kind.PASSING, List.of());
            });
    IgniteWriter<Integer, String> writer = WriterFixture.to(cache).allowInvoke().open();
    CompletableFuture<Boolean> absent = writer.putIfAbsent(1, "v");
    CompletableFuture<String> invoked = writer.invoke(2, (entry, arguments) -> "x");
    assertThatThrownBy(absent::join).hasCauseInstanceOf(WriteFailedException.class);
    assertThatThrownBy(invoked::join).hasCauseInstanceOf(WriteFailedException.class);
    assertThat(cache.calls).hasValue(2);
    assertThatThrownBy(writer::close).isInstanceOf(WriteFailedException.class);
  }

  @Test
  void invokeNeedsToBeAllowed() {
    try (IgniteWriter<Integer, String> writer = WriterFixture.to(late).open()) {
      assertThatThrownBy(() -> writer.invoke(1, (entry, arguments) -> null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("allowInvoke()");
    }
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
    assertThat(letters)
        .extracting(FailedWrite::value)
        .containsExactlyInAnyOrder(Optional.of("last"), Optional.empty());
    assertThat(letters).noneMatch(FailedWrite::inDoubt);
    writer.close();
  }

  @Test
  void aSubscriberWritesInOrderWithinItsWindowAndTellsItsEnd() throws Exception {
    FakeCache<Integer, Integer> cache =
        new FakeCache<>(ForkJoinPool.commonPool(), (call, keys, values) -> {});
    AtomicLong mostOpen = new AtomicLong();
    SubmissionPublisher<Map.Entry<Integer, Integer>> publisher = new SubmissionPublisher<>();
    try (IgniteWriter<Integer, Integer> writer =
        WriterFixture.to(cache).maxPendingEntries(20).open()) {
      WriteSubscriber<Integer, Integer> subscriber = writer.subscriber(50);
      publisher.subscribe(subscriber);
      for (int version = 0; version < 20_000; version++) {
        publisher.submit(Map.entry(version % 100, version));
        mostOpen.accumulateAndGet(writer.stats().pendingEntries(), Math::max);
      }
      publisher.close();
      subscriber.completion().get(30, TimeUnit.SECONDS);
    }
    assertThat(mostOpen.get()).as("and the one that is being refused").isLessThanOrEqualTo(21);
    assertThat(cache.store).hasSize(100);
    cache.store.forEach((key, version) -> assertThat(version).isEqualTo(19_900 + key));
  }

  @Test
  void aSubscriberAsksForNoMoreThanItsWindowAndFailsWithTheFirstFailedWrite() throws Exception {
    AtomicLong requested = new AtomicLong();
    AtomicBoolean cancelled = new AtomicBoolean();
    Flow.Subscription subscription =
        new Flow.Subscription() {
          @Override
          public void request(long more) {
            requested.addAndGet(more);
          }

          @Override
          public void cancel() {
            cancelled.set(true);
          }
        };
    FakeCache<Integer, String> cache =
        new FakeCache<>(
            gate,
            (call, keys, values) -> {
              if (keys.contains(2)) {
                throw new IllegalArgumentException("not 2");
              }
            });
    IgniteWriter<Integer, String> writer = WriterFixture.to(cache).open();
    WriteSubscriber<Integer, String> subscriber = writer.subscriber(3);
    subscriber.onSubscribe(subscription);
    assertThat(requested).hasValue(3);
    for (int key = 1; key <= 3; key++) {
      subscriber.onNext(Map.entry(key, "v"));
    }
    Thread.sleep(20);
    assertThat(requested).as("nothing is acknowledged yet").hasValue(3);
    gate.open();
    Eventually.holds("asks for as many as were done", () -> requested.get() == 6);
    subscriber.onComplete();
    assertThatThrownBy(() -> subscriber.completion().get(20, TimeUnit.SECONDS))
        .hasStackTraceContaining("not 2");
    assertThat(cache.store).containsOnlyKeys(1, 3);
    assertThat(cancelled).isFalse();
    AtomicBoolean second = new AtomicBoolean();
    subscriber.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long more) {}

          @Override
          public void cancel() {
            second.set(true);
          }
        });
    assertThat(second).as("a second subscription is cancelled (rule 2.5)").isTrue();
    assertThatThrownBy(writer::close).isInstanceOf(WriteFailedException.class);
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
    Thread.sleep(50);
    gate.open();
    blocked.join();
    writer.close();
    WriterStats stats = writer.stats();
    assertThat(stats.acknowledgementNanos().max()).isGreaterThan(50_000_000);
    assertThat(stats.blockedNanos().count()).isEqualTo(1);
    assertThat(stats.blockedNanos().p99()).isGreaterThan(50_000_000);
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
  void micrometerAndJmxShowTheStatistics() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ObjectName name =
        new ObjectName("io.pyrometer.ignite.writer:type=IgniteWriter,name=\"orders\"");
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).jmx("orders").open();
    new WriterMetrics(writer, Tags.of("cache", "orders")).bindTo(registry);
    writer.write(1, "v");
    assertThat(registry.get("ignite.writer.pending.entries").gauge().value()).isEqualTo(1);
    gate.open();
    writer.flush();
    WriterMXBean bean = JMX.newMXBeanProxy(server, name, WriterMXBean.class);
    assertThat(bean.getFinishedEntries()).isEqualTo(1);
    assertThat(bean.getMeanBatchEntries()).isEqualTo(1);
    assertThat(bean.getAcknowledgementP99Millis()).isPositive();
    assertThat(
            registry.get("ignite.writer.entries").tag("cache", "orders").functionCounter().count())
        .isEqualTo(1);
    assertThat(registry.get("ignite.writer.acknowledgement").functionTimer().count()).isEqualTo(1);
    assertThat(registry.get("ignite.writer.queue.age.p99").timeGauge().value()).isPositive();
    assertThatThrownBy(() -> WriterFixture.to(late).jmx("orders").open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("orders");
    writer.close();
    assertThat(server.isRegistered(name)).isFalse();
  }
}
