package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Optional;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;

/** Builders over a fake cache, with short times. */
final class WriterFixture {
  private WriterFixture() {}

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache) {
    return to(cache, new FakeTopology());
  }

  static <K, V> IgniteWriterBuilder<K, V> to(FakeCache<K, V> cache, FakeTopology topology) {
    return WriterFixture.<K, V>plain(cache, topology, 2).topologyPoll(Duration.ofMillis(2));
  }

  static <K, V> IgniteWriterBuilder<K, V> plain(CachePort port, Topology topology, int lanes) {
    return new IgniteWriterBuilder<>(new Fake(port, topology), lanes);
  }

  private record Fake(CachePort cache, Topology topology) implements IgniteWriterBuilder.Target {
    @Override
    public String name() {
      return "fake";
    }

    @Override
    public CachePort port(boolean repeats, Duration writeTimeout) {
      return cache;
    }

    @Override
    public CacheWriteSynchronizationMode synchronization() {
      return CacheWriteSynchronizationMode.FULL_SYNC;
    }

    @Override
    public Optional<Boolean> clientRepeatsWrites() {
      return Optional.of(false);
    }
  }
}
