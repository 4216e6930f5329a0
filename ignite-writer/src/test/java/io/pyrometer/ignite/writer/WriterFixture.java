package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;

/** Builders over a fake cache, that poll the topology often. */
final class WriterFixture {
  private WriterFixture() {}

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache) {
    return to(cache, new FakeTopology());
  }

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache, FakeTopology topology) {
    return WriterFixture.<K, V>plain(cache, topology, 2)
        .with(own -> own.topologyPollNanos = 2_000_000);
  }

  /** Sends what was written in one batch, when it is flushed and no earlier. */
  static <K, V> IgniteWriterBuilder<K, V> oneBatch(FakeCache<K, V> cache) {
    return to(cache).lanes(1).batchEntries(4_000).linger(Duration.ofDays(1));
  }

  /** Room for as many entries of an {@code Integer} and a text of one letter. */
  static long roomFor(int entries) {
    return entries * 288L;
  }

  static <K, V> CompletableFuture<Void> writeAll(
      IgniteWriter<K, V> writer, Iterable<Map.Entry<K, V>> entries) {
    return CompletableFuture.allOf(
        StreamSupport.stream(entries.spliterator(), false)
            .map(entry -> writer.write(entry.getKey(), entry.getValue()))
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Why a write has failed. */
  static Throwable causeOf(CompletableFuture<?> failed) {
    return Fault.unwrapped(failed.handle((done, e) -> e).join()).getCause();
  }

  /** Starts work that may wait, on a thread of its own. */
  static Thread start(Runnable work, AtomicReference<Throwable> thrown) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (RuntimeException e) {
                thrown.set(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Threads on which a cache answers in any order. */
  static ExecutorService pool() {
    return Executors.newWorkStealingPool(3);
  }

  static <K, V> IgniteWriterBuilder<K, V> plain(FakePort port, FakeTopology topology, int lanes) {
    port.topology = topology;
    return new IgniteWriterBuilder<K, V>(settings -> port).lanes(lanes);
  }
}
