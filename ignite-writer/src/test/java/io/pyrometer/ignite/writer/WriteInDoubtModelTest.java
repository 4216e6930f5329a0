package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Calls end late, in any order, with their outcome unknown, and some of them have their effect long
 * after that, as at a server that works off its queue: no acknowledged write may be overwritten by
 * an older one.
 */
class WriteInDoubtModelTest {
  private static final int WRITES = 500;

  private record Written(int key, int version, CompletableFuture<Void> future) {}

  private final ExecutorService pool = WriterFixture.pool();

  @Property
  void noAcknowledgedWriteIsOverwrittenByOneInDoubt(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int keys,
      @ForAll @IntRange(min = 1, max = 40) int mostPending,
      @ForAll @IntRange(min = 1, max = 12) int largestBatch,
      @ForAll boolean unanswered) {
    Random random = new Random(seed);
    FakeTopology topology = new FakeTopology();
    ZombieCache cache = new ZombieCache(pool, seed, unanswered);
    List<Written> written = new ArrayList<>();
    IgniteWriter<Integer, Integer> writer =
        WriterFixture.<Integer, Integer>plain(cache, topology, 2)
            .with(own -> own.topologyPollNanos = 2_000_000)
            .maxPendingBytes(mostPending * 256L)
            .batchEntries(largestBatch)
            .writeTimeout(unanswered ? Duration.ofMillis(30) : Duration.ofMinutes(1))
            .inDoubtFor(ChronoUnit.FOREVER.getDuration())
            .open();
    AtomicBoolean closed = new AtomicBoolean();
    pool.execute(
        () -> {
          while (!closed.get()) {
            cache.workOff();
            LockSupport.parkNanos(200_000);
          }
        });
    for (int version = 1; version <= WRITES; version++) {
      int key = random.nextInt(keys);
      written.add(new Written(key, version, writer.write(key, version)));
      if (random.nextInt(60) == 0) {
        topology.shuffle(random);
      }
    }
    Throwable closing = catchThrowable(writer::close);
    closed.set(true);
    assertThat(closing)
        .satisfiesAnyOf(
            none -> assertThat(none).isNull(),
            some -> assertThat(some).isInstanceOf(WriteFailedException.class));
    cache.workOff();

    Map<Integer, Integer> promised = new HashMap<>();
    for (Written write : written) {
      assertThat(write.future()).as("future of %s", write).isDone();
      if (!write.future().isCompletedExceptionally()) {
        promised.merge(write.key(), write.version(), Math::max);
      }
    }
    promised.forEach(
        (key, version) ->
            assertThat(cache.store.getOrDefault(key, 0))
                .as("acknowledged of key %s", key)
                .isGreaterThanOrEqualTo(version));
    assertThat(writer.stats().pendingEntries()).isZero();
    assertThat(writer.stats().pendingBytes()).isZero();
  }
}
