package io.pyrometer.ignite.writer;

import java.time.Duration;

/** Builders over a fake cache, with short times. */
final class WriterFixture {
  private WriterFixture() {}

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache) {
    return to(cache, new FakeTopology<>());
  }

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache, FakeTopology<K> topology) {
    return new IgniteWriterBuilder<>(cache, topology, 2)
        .retryPauses(Duration.ofMillis(1), Duration.ofMillis(4))
        .topologyPoll(Duration.ofMillis(2));
  }
}
