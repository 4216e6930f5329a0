package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.groups.Tuple.tuple;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.cache.CacheException;
import org.apache.ignite.client.ClientRetryAllPolicy;
import org.apache.ignite.client.ClientRetryNonePolicy;
import org.apache.ignite.client.ClientRetryPolicy;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.thread.IgniteThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults that an outside review found, by their numbers there, without a cluster. */
@Timeout(60)
class RegressionTest {
  private static final List<String> TWO_NODES = List.copyOf(twoNodes());

  private final Gate gate = new Gate();
  private final FakeCache<Integer, String> late = new FakeCache<>(gate, (call, k, v) -> {});

  private static List<String> twoNodes() {
    List<String> nodes = new ArrayList<>();
    IntStream.range(0, FakeTopology.PARTITIONS).forEach(p -> nodes.add(p % 2 == 0 ? "a" : "b"));
    return nodes;
  }

  private static FakeCache<Integer, String> with(FakeCache.Fate<Integer> fate) {
    return new FakeCache<>(Runnable::run, fate);
  }

  private static Throwable causeOf(CompletableFuture<?> failed) {
    Throwable error = failed.handle((done, e) -> e).join();
    return Causes.unwrapped(error).getCause();
  }

  // B2: an acknowledged write was overwritten by an older one whose connection had broken

  @Test
  void b2AWriteInDoubtIsNeverRepeatedAndItsKeyIsFencedByName() {
    AtomicBoolean broken = new AtomicBoolean(true);
    FakeCache<Integer, String> cache =
        with(
            (call, keys, values) -> {
              if (broken.getAndSet(false)) {
                throw new FakeCache.Refusal(Fault.Kind.IN_DOUBT, List.of());
              }
            });
    Queue<FailedWrite<Integer, String>> told = new ConcurrentLinkedQueue<>();
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).lanes(1).onFailure(told::add).open();
    CompletableFuture<Void> older = writer.write(5, "older");
    assertThat(causeOf(older)).isInstanceOf(WriteInDoubtException.class);
    CompletableFuture<Void> newer = writer.write(5, "newer");
    assertThat(causeOf(newer))
        .isInstanceOf(WriteInDoubtException.class)
        .hasMessageContaining("an earlier write of its key is in doubt");
    writer.write(6, "other").join();
    assertThat(cache.calls).as("older, once, and the other key").hasValue(2);
    assertThat(writer.keysInDoubt()).containsExactly(5);
    assertThat(writer.stats().keysInDoubt()).isEqualTo(1);
    assertThat(told)
        .extracting(FailedWrite::key, FailedWrite::value, FailedWrite::inDoubt)
        .containsExactly(
            tuple(5, Optional.of("older"), true), tuple(5, Optional.of("newer"), false));
    writer.releaseKeysInDoubt(List.of(5));
    writer.write(5, "newest").join();
    assertThat(cache.store).containsEntry(5, "newest");
    assertThatThrownBy(writer::close).isInstanceOf(WriteFailedException.class);
  }

  @Test
  void b2ADoubtEndsAfterTheTimeThatItsOwnerChose() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    FakeCache<Integer, String> cache =
        with(
            (call, keys, values) -> {
              if (broken.getAndSet(false)) {
                throw new FakeCache.Refusal(Fault.Kind.IN_DOUBT, List.of());
              }
            });
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).inDoubtFor(Duration.ofMillis(200)).open();
    assertThat(causeOf(writer.write(5, "older"))).isInstanceOf(WriteInDoubtException.class);
    assertThat(causeOf(writer.write(5, "early"))).isInstanceOf(WriteInDoubtException.class);
    Thread.sleep(250);
    writer.write(5, "newer").join();
    assertThat(cache.store).containsEntry(5, "newer");
    assertThat(writer.keysInDoubt()).isEmpty();
    assertThatThrownBy(writer::close).isInstanceOf(WriteFailedException.class);
  }

  @Test
  void b2WhileTheClusterIsUnreachableWritesWaitInsteadOfGettingInDoubt() throws Exception {
    FakeCache<Integer, String> cache = FakeCache.obedient();
    cache.reachable = false;
    IgniteWriter<Integer, String> writer = WriterFixture.to(cache).open();
    CompletableFuture<Void> write = writer.write(1, "v");
    Eventually.holds("probed", () -> cache.probes.get() > 3);
    assertThat(cache.calls).as("nothing is sent").hasValue(0);
    cache.reachable = true;
    write.join();
    assertThat(cache.store).containsEntry(1, "v");
    writer.close();
  }

  @Test
  void b2MoreKeysInDoubtThanCanBeKeptPutAllKeysInDoubt() {
    KeysInDoubt keys = new KeysInDoubt(2, Nanos.FOREVER);
    Throwable cause = new IllegalStateException("broken");
    Object call = new Object();
    keys.add(call, List.of(1, 2, 3), cause);
    assertThat(keys.size()).isEqualTo(2);
    assertThat(keys.of(3)).contains(cause);
    assertThat(keys.of("never written")).contains(cause);
    keys.ended(call, List.of(1, 2, 3));
    assertThat(keys.of(1)).as("3 may still be in doubt").contains(cause);
    keys.releaseAll();
    assertThat(keys.of(1)).isEmpty();
    assertThat(keys.of(3)).isEmpty();
  }

  @Test
  void b2ADoubtIsEndedOnlyByTheCallThatMadeIt() {
    KeysInDoubt keys = new KeysInDoubt(9, Nanos.FOREVER);
    Object first = new Object();
    Object second = new Object();
    keys.add(first, List.of(1), new IllegalStateException("first"));
    keys.add(second, List.of(1), new IllegalStateException("second"));
    keys.ended(first, List.of(1));
    assertThat(keys.of(1)).isPresent();
    keys.ended(second, List.of(1));
    assertThat(keys.of(1)).isEmpty();
    assertThat(keys.size()).isZero();
  }

  @Test
  void b2AClientThatRepeatsWritesByItselfIsRecognised() {
    assertThat(ThinRetries.repeatWrites(new ClientConfiguration())).as("the default").isTrue();
    assertThat(repeats(new ClientRetryAllPolicy())).isTrue();
    assertThat(repeats(context -> context.iteration() < 3)).isTrue();
    assertThat(repeats(new ClientRetryReadPolicy())).isFalse();
    assertThat(repeats(new ClientRetryNonePolicy())).isFalse();
    assertThat(ThinRetries.repeatWrites(new ClientConfiguration().setRetryPolicy(null))).isFalse();
    assertThat(ThinRetries.repeatWrites(new ClientConfiguration().setRetryLimit(1))).isFalse();
  }

  private static boolean repeats(ClientRetryPolicy policy) {
    return ThinRetries.repeatWrites(new ClientConfiguration().setRetryPolicy(policy));
  }

  // B3: flush hung for ever after a close that timed out

  @Test
  void b3FlushReturnsAfterACloseThatTimedOut() {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).open();
    CompletableFuture<Void> write = writer.write(1, "v");
    assertThatThrownBy(() -> writer.close(Duration.ofMillis(50)))
        .isInstanceOf(WriteFailedException.class);
    assertThat(write).isCompletedExceptionally();
    writer.flush(Duration.ofSeconds(20));
    assertThat(writer.flushAsync()).isCompleted();
  }

  @Test
  void b3AFlushThatWaitsEndsWithACloseDuringAMoveThatTimesOut() throws Exception {
    FakeTopology<Integer> topology = new FakeTopology<>();
    IgniteWriter<Integer, String> writer = WriterFixture.to(late, topology).open();
    writer.write(1, "v");
    Eventually.holds("sent", () -> gate.waiting() == 1);
    topology.place(TWO_NODES);
    Eventually.holds("moved", () -> writer.stats().topologyChanges() == 1);
    CompletableFuture<Void> held = writer.write(1, "w");
    CompletableFuture<Void> flush = writer.flushAsync();
    Throwable closing = catchThrowable(() -> writer.close(Duration.ofMillis(50)));
    assertThat(held).isCompletedExceptionally();
    Throwable flushing = flush.handle((done, error) -> error).get(20, TimeUnit.SECONDS);
    assertThat(List.of(Optional.ofNullable(closing), Optional.ofNullable(flushing)))
        .as("one of both tells of the failed writes")
        .anyMatch(Optional::isPresent);
    writer.flush(Duration.ofSeconds(20));
  }

  // B4: a failure listener that threw an Error wedged its lane and leaked threads

  @Test
  void b4AListenerThatThrowsAnErrorStopsNothing() throws Exception {
    FakeCache<Integer, String> cache =
        with(
            (call, keys, values) -> {
              if (keys.contains(1)) {
                throw new IllegalArgumentException("bad");
              }
            });
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
    assertThatThrownBy(() -> writer.flush(Duration.ofSeconds(20)))
        .isInstanceOf(WriteFailedException.class);
    writer.write(2, "v").get(20, TimeUnit.SECONDS);
    writer.close();
    Eventually.holds("no threads left", () -> threads() <= before);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ignite-writer"))
        .count();
  }

  // B5: one value's IllegalStateException failed all entries of its batch

  @Test
  void b5AnIllegalStateOfOneValueBlamesItsKeyAlone() {
    CacheException error = new CacheException(new IllegalStateException("value is not complete"));
    assertThat(ThickFaults.read(error, () -> true).kind()).isEqualTo(Fault.Kind.KEYS);
    assertThat(ThickFaults.read(error, () -> false).kind()).isEqualTo(Fault.Kind.FINAL);
  }

  // B6: keys without equals and hashCode lost their order

  @Test
  void b6KeysWithoutEqualsAndHashCodeAreRefusedWithAReason() {
    FakeCache<Object, String> cache = FakeCache.obedient();
    try (IgniteWriter<Object, String> writer = WriterFixture.to(cache).open()) {
      for (Object key : new Object[] {new PlainKey(), new byte[] {1}, new HalfKey()}) {
        assertThatThrownBy(() -> writer.write(key, "v"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("have no equals and hashCode of their own")
            .hasMessageContaining("withKeepBinary");
        assertThatThrownBy(() -> writer.tryWrite(key, "v"))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.remove(key)).isInstanceOf(IllegalArgumentException.class);
      }
      writer.write(new UserKey(1, 2), "v").join();
      writer.write(Thread.State.NEW, "v").join();
    }
    assertThat(cache.store).hasSize(2);
  }

  private static final class PlainKey {}

  @SuppressWarnings({"EqualsHashCode", "EqualsWhichDoesntCheckParameterClass", "overrides"})
  private static final class HalfKey {
    @Override
    public boolean equals(Object other) {
      return true;
    }
  }

  // B7: memory was not bounded for objects, and batches had no limit in bytes

  private record Large(String name, byte[] content) {}

  @Test
  void b7ObjectsCountWhatTheyHold() {
    assertThat(SizeEstimate.of(new Large("n", new byte[1 << 20]))).isBetween(1L << 20, 1_100_000L);
    List<String> texts = new ArrayList<>();
    IntStream.range(0, 1_000).forEach(i -> texts.add("some text of a certain length " + i));
    assertThat(SizeEstimate.of(texts)).isBetween(60_000L, 160_000L);
    assertThat(SizeEstimate.of(Map.of("a", new Large("n", new byte[50_000]))))
        .isBetween(50_000L, 52_000L);
    assertThat(SizeEstimate.of(new Object[] {new byte[9_000], Optional.of(new byte[9_000])}))
        .isBetween(18_000L, 19_000L);
    assertThat(SizeEstimate.of(new StockOrder(1))).isBetween(300L, 900L);
  }

  @Test
  void b7ObjectsThatHoldThemselvesAreCountedOnce() {
    List<Object> small = new ArrayList<>(List.of(new byte[1_000]));
    small.add(small);
    assertThat(SizeEstimate.of(small)).isBetween(1_000L, 60_000L);
    List<Object> large = new ArrayList<>(Collections.nCopies(1_000, new byte[10]));
    large.add(0, large);
    assertThat(SizeEstimate.of(large)).isPositive();
  }

  @Test
  void b7ABatchIsBoundedInBytes() {
    Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
    FakeCache<Integer, byte[]> cache = FakeCache.obedient();
    cache.sending = keys -> sizes.add(keys.size());
    try (IgniteWriter<Integer, byte[]> writer =
        WriterFixture.to(cache).lanes(1).batchBytes(100_000).linger(Duration.ofMillis(5)).open()) {
      for (int key = 0; key < 100; key++) {
        writer.write(key, new byte[key == 50 ? 500_000 : 20_000]);
      }
    }
    assertThat(cache.store).hasSize(100);
    assertThat(sizes).allMatch(size -> size <= 4).contains(4);
  }

  // B8: standstills

  @Test
  void b8StagesThatWaitForAWriteOnTheWritersThreadsAreRefused() throws Exception {
    try (IgniteWriter<Integer, String> writer = WriterFixture.to(slow()).senders(2).open()) {
      List<CompletableFuture<Void>> stages = new ArrayList<>();
      for (int key = 0; key < 16; key++) {
        int other = 100 + key;
        stages.add(writer.write(key, "v").thenRun(() -> writer.write(other, "v").join()));
        stages.add(
            writer
                .write(key, "v")
                .thenRun(() -> writer.write(other, "v").thenRun(() -> {}).join()));
      }
      CompletableFuture<Void> all =
          CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new));
      assertThatThrownBy(() -> all.get(20, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasStackTraceContaining("use the futures' Async methods");
    }
  }

  @Test
  void b8StagesThatWaitInAWayThatCannotBeRefusedGetOtherThreadsInTheirPlace() throws Exception {
    try (IgniteWriter<Integer, String> writer =
        WriterFixture.to(slow()).senders(2).stallTimeout(Duration.ofMillis(50)).open()) {
      List<CompletableFuture<Void>> stages = new ArrayList<>();
      for (int key = 0; key < 8; key++) {
        int other = 100 + key;
        stages.add(
            writer
                .write(key, "v")
                .thenRun(
                    () -> {
                      CountDownLatch done = new CountDownLatch(1);
                      writer.write(other, "v").whenComplete((d, e) -> done.countDown());
                      awaitQuietly(done);
                    }));
      }
      CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new))
          .get(30, TimeUnit.SECONDS);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static FakeCache<Integer, String> slow() {
    return new FakeCache<>(
        CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS), (call, keys, values) -> {});
  }

  @Test
  void b8ThreadsOfIgniteAreNeverBlocked() throws Exception {
    IgniteWriter<Integer, String> writer = WriterFixture.to(late).maxPendingEntries(1).open();
    CompletableFuture<Void> first = writer.write(1, "v");
    List<Runnable> waits =
        List.of(() -> writer.write(2, "v"), writer::flush, writer::close, first::join);
    for (Runnable wait : waits) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      IgniteThread thread =
          new IgniteThread(
              "test",
              "sys-stripe",
              () -> {
                try {
                  wait.run();
                } catch (RuntimeException e) {
                  thrown.set(e);
                }
              });
      thread.start();
      thread.join(20_000);
      assertThat(thrown.get())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a thread of Ignite's");
    }
    gate.open();
    writer.close();
    assertThat(late.store).containsOnlyKeys(1);
  }

  @Test
  void b8AnEntryAboveTheBoundDoesNotStarveBehindSmallOnes() throws Exception {
    FakeCache<Integer, String> cache =
        new FakeCache<>(
            CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS), (call, k, v) -> {});
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache)
            .maxPendingBytes(1 << 20)
            .sizeOf((k, v) -> v.equals("big") ? 2 << 20 : 100)
            .open();
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    Thread small =
        new Thread(
            () -> {
              while (!stop.get()) {
                writer.write(written.incrementAndGet(), "small");
              }
            });
    small.start();
    Eventually.holds("small ones go", () -> written.get() > 1_000);
    FutureTask<CompletableFuture<Void>> big = new FutureTask<>(() -> writer.write(-1, "big"));
    Thread bigThread = new Thread(big);
    bigThread.start();
    big.get(20, TimeUnit.SECONDS).get(20, TimeUnit.SECONDS);
    stop.set(true);
    small.join();
    writer.close();
    assertThat(cache.store).containsEntry(-1, "big").hasSize(written.get() + 1);
  }

  @Test
  void b8RoomForOneEntryLetsOneCallerGoOn() throws Exception {
    PendingBudget budget = new PendingBudget(4, 1_000);
    for (int i = 0; i < 4; i++) {
      assertThat(budget.tryTake(1)).isTrue();
    }
    AtomicInteger granted = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread caller =
          new Thread(
              () -> {
                try {
                  budget.await(1, Nanos.deadline(Nanos.FOREVER), () -> {});
                  granted.incrementAndGet();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      caller.start();
      Eventually.waits(caller);
      callers.add(caller);
    }
    budget.release(1, 1);
    callers.get(0).join();
    Thread.sleep(20);
    assertThat(granted).hasValue(1);
    assertThat(budget.entries()).isEqualTo(4);
    budget.release(4, 4);
    budget.release(3, 3);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(granted).hasValue(8);
  }

  // B9: durations of FOREVER overflowed

  @Test
  void b9DurationsMayBeForever() throws Exception {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    IgniteWriter<Integer, String> writer =
        new IgniteWriterBuilder<>(late, new FakeTopology<Integer>(), 1)
            .maxPendingEntries(1)
            .backPressure(BackPressure.block())
            .writeTimeout(forever)
            .stallTimeout(forever)
            .closeTimeout(forever)
            .inDoubtFor(forever)
            .retryPauses(Duration.ofMillis(1), forever)
            .linger(forever)
            .open();
    writer.write(1, "v");
    FutureTask<CompletableFuture<Void>> blocked = new FutureTask<>(() -> writer.write(2, "v"));
    Thread thread = new Thread(blocked);
    thread.start();
    Eventually.waits(thread);
    gate.open();
    blocked.get(20, TimeUnit.SECONDS);
    writer.flush(forever);
    writer.close();
    assertThat(late.store).hasSize(2);
  }

  // B11: the future that tells of a client's reconnection was not used

  @Test
  void b11ARepetitionDoesNotOutwaitAFaultThatIsKnownToBeOver() throws Exception {
    CompletableFuture<Void> reconnected = new CompletableFuture<>();
    AtomicBoolean disconnected = new AtomicBoolean(true);
    FakeCache<Integer, String> cache =
        with(
            (call, keys, values) -> {
              if (disconnected.get()) {
                throw new FakeCache.Refusal(
                    Fault.Kind.PASSING, List.of(), Optional.<CompletionStage<?>>of(reconnected));
              }
            });
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache)
            .retryPauses(Duration.ofHours(1), Duration.ofHours(1))
            .writeTimeout(ChronoUnit.FOREVER.getDuration())
            .open();
    CompletableFuture<Void> write = writer.write(1, "v");
    Eventually.holds("sent", () -> cache.calls.get() == 1);
    disconnected.set(false);
    reconnected.complete(null);
    write.get(20, TimeUnit.SECONDS);
    assertThat(writer.stats().retries()).isEqualTo(1);
    writer.close();
  }

  // B12

  @Test
  void b12TransactionalCachesGetSortedMapsOfWhichIgniteDoesNotWarn() {
    Queue<Map<?, ?>> maps = new ConcurrentLinkedQueue<>();
    FakeCache<Integer, String> cache = FakeCache.obedient();
    cache.locksInOrder = true;
    cache.seeing = maps::add;
    try (IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).lanes(1).linger(Duration.ofMillis(20)).open()) {
      IntStream.of(5, 3, 9, 1).forEach(key -> writer.write(key, "v"));
    }
    assertThat(maps).isNotEmpty().allMatch(map -> map instanceof SortedMap);
    assertThat(cache.store).hasSize(4);
  }

  @Test
  void b12ThreadsStartWithTheWriterAndItsOpenersClassLoader() throws Exception {
    ClassLoader somebodys = new ClassLoader(getClass().getClassLoader()) {};
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    FakeCache<Integer, String> cache = FakeCache.obedient();
    Queue<ClassLoader> seen = new ConcurrentLinkedQueue<>();
    cache.sending = keys -> seen.add(Thread.currentThread().getContextClassLoader());
    long before = threads();
    try (IgniteWriter<Integer, String> writer = WriterFixture.to(cache).senders(3).open()) {
      assertThat(threads()).isEqualTo(before + 5);
      Thread.currentThread().setContextClassLoader(somebodys);
      for (int key = 0; key < 100; key++) {
        writer.write(key, "v").get(20, TimeUnit.SECONDS);
      }
    } finally {
      Thread.currentThread().setContextClassLoader(own);
    }
    assertThat(seen).isNotEmpty().allMatch(loader -> loader == own);
  }

  @Test
  void b12WhatWriteAllHasTakenIsNotLostWhenTheNextIsRefused() {
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(late).maxPendingEntries(10).backPressure(BackPressure.fail()).open();
    List<Map.Entry<Integer, String>> entries =
        IntStream.range(0, 50).mapToObj(key -> Map.entry(key, "v")).toList();
    AtomicReference<IncompleteWriteException> thrown = new AtomicReference<>();
    assertThatThrownBy(() -> writer.writeAll(entries))
        .isInstanceOfSatisfying(IncompleteWriteException.class, thrown::set)
        .hasCauseInstanceOf(WriterFullException.class);
    CompletableFuture<Void> taken = thrown.get().taken();
    long count = thrown.get().takenCount();
    assertThat(count).isBetween(1L, 10L);
    assertThat(taken).isNotDone();
    gate.open();
    taken.join();
    assertThat(late.store).hasSize((int) count);
    writer.close();
  }

  // The metadata hang: Ignite waits for ever for a lost message when a class is new to the cluster

  private record Unseen(int number) {}

  @Test
  void hangAClassThatIgniteDoesNotRegisterFailsItsOwnWritesAndNoOthers() throws Exception {
    FakeCache<Integer, Object> cache = FakeCache.obedient();
    CountDownLatch answer = new CountDownLatch(1);
    cache.registering =
        object -> {
          if (object instanceof Unseen) {
            awaitQuietly(answer);
          }
        };
    IgniteWriter<Integer, Object> writer =
        WriterFixture.to(cache).stallTimeout(Duration.ofMillis(100)).open();
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatThrownBy(() -> writer.write(1, new Unseen(1)))
          .isInstanceOf(WriteTimeoutException.class)
          .hasMessageContaining("Unseen")
          .hasMessageContaining("binary metadata hangs");
    }
    assertThat(writer.tryWrite(1, new Unseen(1))).isEmpty();
    writer.write(2, "string").get(20, TimeUnit.SECONDS);
    assertThat(cache.store).containsOnlyKeys(2);
    assertThat(writer.keysInDoubt()).as("nothing was sent").isEmpty();
    answer.countDown();
    Eventually.holds("registered", () -> writer.tryWrite(1, new Unseen(1)).isPresent());
    writer.close();
    assertThat(cache.store).containsOnlyKeys(1, 2);
  }

  @Test
  void hangACallThatDoesNotReturnFailsItsBatchAndAnotherThreadGoesOn() throws Exception {
    FakeCache<Integer, String> cache = FakeCache.obedient();
    CountDownLatch answer = new CountDownLatch(1);
    AtomicBoolean hang = new AtomicBoolean(true);
    cache.sending =
        keys -> {
          if (keys.contains(1) && hang.getAndSet(false)) {
            awaitQuietly(answer);
          }
        };
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).senders(1).lanes(1).stallTimeout(Duration.ofMillis(100)).open();
    CompletableFuture<Void> hung = writer.write(1, "hung");
    assertThatThrownBy(() -> hung.get(20, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(WriteTimeoutException.class);
    assertThat(causeOf(hung)).isInstanceOf(WriteInDoubtException.class);
    writer.write(2, "v").get(20, TimeUnit.SECONDS);
    assertThat(causeOf(writer.write(1, "later"))).isInstanceOf(WriteInDoubtException.class);
    answer.countDown();
    Eventually.holds("the call ended, and with it the doubt", () -> writer.keysInDoubt().isEmpty());
    writer.write(1, "last").get(20, TimeUnit.SECONDS);
    assertThat(cache.store).containsEntry(1, "last").containsEntry(2, "v");
    assertThatThrownBy(writer::close).isInstanceOf(WriteFailedException.class);
  }

  @Test
  void hangACallThatIsNeverAnsweredIsGivenUpAtTheWriteTimeout() throws Exception {
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(late).lanes(1).writeTimeout(Duration.ofMillis(300)).open();
    CompletableFuture<Void> sent = writer.write(1, "sent");
    Eventually.holds("sent", () -> gate.waiting() == 1);
    CompletableFuture<Void> waiting = writer.write(1, "waits behind");
    assertThat(causeOf(sent)).isInstanceOf(WriteInDoubtException.class);
    assertThat(causeOf(waiting))
        .isInstanceOfAny(WriteInDoubtException.class, WriteTimeoutException.class);
    assertThat(writer.keysInDoubt()).containsExactly(1);
    CompletableFuture<Void> other = writer.write(2, "v");
    Eventually.holds("the lane goes on", () -> gate.waiting() == 2);
    gate.open();
    other.get(20, TimeUnit.SECONDS);
    Eventually.holds("answered, so no doubt", () -> writer.keysInDoubt().isEmpty());
    writer.write(1, "last").get(20, TimeUnit.SECONDS);
    assertThat(late.history.get(1)).containsExactly("sent", "last");
    assertThatThrownBy(writer::close).isInstanceOf(WriteFailedException.class);
    assertThat(writer.stats().pendingEntries()).isZero();
    assertThat(writer.stats().pendingBytes()).isZero();
  }

  @Test
  void writesThatCannotBeSentInTimeFailWithoutADoubt() throws Exception {
    FakeCache<Integer, String> cache = FakeCache.obedient();
    cache.reachable = false;
    IgniteWriter<Integer, String> writer =
        WriterFixture.to(cache).lanes(1).writeTimeout(Duration.ofMillis(200)).open();
    CompletableFuture<Void> first = writer.write(1, "v");
    Eventually.holds("tried", () -> cache.probes.get() > 0);
    CompletableFuture<Void> behind = writer.write(2, "v");
    first.handle((d, e) -> e).get(20, TimeUnit.SECONDS);
    behind.handle((d, e) -> e).get(20, TimeUnit.SECONDS);
    assertThat(first).isCompletedExceptionally();
    assertThat(behind).isCompletedExceptionally();
    assertThat(writer.keysInDoubt()).isEmpty();
    cache.reachable = true;
    writer.write(1, "again").get(20, TimeUnit.SECONDS);
    assertThat(cache.store).containsOnlyKeys(1);
    assertThatThrownBy(writer::close).isInstanceOf(WriteFailedException.class);
  }
}
