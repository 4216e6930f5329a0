package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ignite.thread.IgniteThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults that an outside review found, by their numbers there, without a cluster. */
@Timeout(60)
class RegressionTest {
  private final Gate gate = new Gate();
  private final FakeCache<Integer, String> late = new FakeCache<>(gate, (call, k, v) -> {});

  // B4: a failure listener that threw an Error wedged its lane and leaked threads

  @Test
  void b4AListenerThatThrowsAnErrorStopsNothing() throws Exception {
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

  // B7: memory was not bounded for objects, and batches had no limit in bytes

  @Test
  void b7ABatchIsBoundedInBytes() {
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

  @Test
  void b8ThreadsOfIgniteAreNeverBlocked() throws Exception {
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

  // B9: durations of FOREVER overflowed

  @Test
  void b9DurationsMayBeForever() throws Exception {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    IgniteWriter<Integer, String> writer =
        WriterFixture.<Integer, String>plain(late, new FakeTopology(), 1)
            .maxPendingBytes(1)
            .maxWait(ChronoUnit.FOREVER.getDuration())
            .writeTimeout(forever)
            .with(own -> own.topologyPollNanos = Settings.FOREVER)
            .inDoubtFor(forever)
            .linger(forever)
            .open();
    writer.write(1, "v");
    FutureTask<CompletableFuture<Void>> blocked = new FutureTask<>(() -> writer.write(2, "v"));
    Thread thread = new Thread(blocked);
    thread.start();
    Eventually.waits(thread);
    gate.open();
    blocked.get(20, TimeUnit.SECONDS);
    writer.flush();
    writer.close();
    assertThat(late.store).hasSize(2);
  }

  // B12

  @Test
  void b12ThreadsStartWithTheWriterAndItsOpenersClassLoader() throws Exception {
    ClassLoader somebodys = new ClassLoader(getClass().getClassLoader()) {};
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    FakeCache<Integer, String> cache = FakeCache.obedient();
    Queue<ClassLoader> seen = new ConcurrentLinkedQueue<>();
    cache.sending = keys -> seen.add(Thread.currentThread().getContextClassLoader());
    try (IgniteWriter<Integer, String> writer = WriterFixture.to(cache).open()) {
      Thread.currentThread().setContextClassLoader(somebodys);
      for (int key = 0; key < 100; key++) {
        writer.write(key, "v").get(20, TimeUnit.SECONDS);
      }
    } finally {
      Thread.currentThread().setContextClassLoader(own);
    }
    assertThat(seen).isNotEmpty().allMatch(loader -> loader == own);
  }
}
