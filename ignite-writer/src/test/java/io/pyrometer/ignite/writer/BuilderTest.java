package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BuilderTest {
  private final IgniteWriterBuilder<Integer, String> builder =
      WriterFixture.to(FakeCache.obedient());

  private static void refused(ThrowingCallable call, String setting) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(setting);
  }

  @Test
  void settingsThatCannotWorkAreRefusedWithAReason() {
    refused(() -> builder.lanes(0), "lanes");
    refused(() -> builder.batchEntries(0), "batch entries");
    refused(() -> builder.maxPendingBytes(-1), "-1");
    refused(() -> builder.linger(Duration.ofMillis(-1)), "linger");
    refused(() -> builder.writeTimeout(Duration.ZERO), "write timeout");
    refused(() -> builder.maxWait(Duration.ofMillis(-1)), "");
  }

  @Test
  void nullKeysAndValuesAreRefusedAtOnce() {
    try (IgniteWriter<Integer, String> writer = builder.open()) {
      assertThatThrownBy(() -> writer.write(null, "v")).hasMessage("key");
      assertThatThrownBy(() -> writer.write(1, null)).hasMessage("value");
      assertThatThrownBy(() -> writer.remove(null)).hasMessage("key");
    }
  }

  @Test
  void durationsMayBeForever() throws Exception {
    Gate gate = new Gate();
    FakeCache<Integer, String> late = new FakeCache<>(gate, (call, k, v) -> {});
    Duration forever = ChronoUnit.FOREVER.getDuration();
    IgniteWriter<Integer, String> writer =
        WriterFixture.<Integer, String>plain(late, new FakeTopology(), 1)
            .maxPendingBytes(1)
            .maxWait(forever)
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

  @Test
  void threadsHaveTheClassLoaderOfTheOneThatOpensTheWriter() throws Exception {
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
