package io.pyrometer.ignite.writer;

import java.time.Duration;

/** Builders over a fake cache, that poll the topology often. */
final class WriterFixture {
  private WriterFixture() {}

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache) {
    return to(cache, new FakeTopology());
  }

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache, FakeTopology topology) {
    return WriterFixture.<K, V>plain(cache, topology, 2).topologyPoll(Duration.ofMillis(2));
  }

  /** Sends what was written in one batch, when it is flushed and no earlier. */
  static <K, V> IgniteWriterBuilder<K, V> oneBatch(FakeCache<K, V> cache) {
    return to(cache).lanes(1).batchEntries(4_000).linger(Duration.ofDays(1));
  }

  static <K, V> IgniteWriterBuilder<K, V> plain(FakePort port, FakeTopology topology, int lanes) {
    port.topology = topology;
    return new IgniteWriterBuilder<>(settings -> port, lanes);
  }
}
