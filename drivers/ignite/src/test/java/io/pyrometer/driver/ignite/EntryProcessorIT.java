package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.junit.jupiter.api.Test;

/** The defect of lab/ignite-defects.md, on one node without backups. */
class EntryProcessorIT {
  private static final AtomicInteger CALLS = new AtomicInteger();

  /** Not a record, whose fields Ignite cannot access. */
  private static class OfAtomic {
    final int call;

    OfAtomic(int call) {
      this.call = call;
    }
  }

  private static final class OfTransactional extends OfAtomic {
    OfTransactional(int call) {
      super(call);
    }
  }

  private static final class Store implements CacheEntryProcessor<Long, Object, Integer> {
    private static final long serialVersionUID = 1;

    private final CacheAtomicityMode mode;

    Store(CacheAtomicityMode mode) {
      this.mode = mode;
    }

    @Override
    public Integer process(MutableEntry<Long, Object> entry, Object... none) {
      int call = CALLS.incrementAndGet();
      entry.setValue(
          mode == CacheAtomicityMode.ATOMIC ? new OfAtomic(call) : new OfTransactional(call));
      return call;
    }
  }

  private static IgniteConfiguration configuration() {
    return new IgniteConfiguration()
        .setIgniteInstanceName("entry-processors")
        .setLocalHost("127.0.0.1")
        .setConnectorConfiguration(null)
        .setClientConnectorConfiguration(null)
        .setDiscoverySpi(
            // Finds no nodes of other tests.
            new TcpDiscoverySpi().setIpFinder(new TcpDiscoveryVmIpFinder(true)));
  }

  private static int calls(IgniteCache<Long, Object> cache, CacheAtomicityMode mode, long key) {
    CALLS.set(0);
    int answered = cache.invoke(key, new Store(mode));
    assertThat(answered).as("the last call is the one that is answered").isEqualTo(CALLS.get());
    assertThat(((OfAtomic) cache.get(key)).call).as("and stored").isEqualTo(answered);
    return CALLS.get();
  }

  @Test
  void anAtomicCacheCallsAProcessorTwiceThatStoresTheFirstValueOfAClass() {
    try (Ignite ignite = Ignition.start(configuration())) {
      for (CacheAtomicityMode mode :
          List.of(CacheAtomicityMode.ATOMIC, CacheAtomicityMode.TRANSACTIONAL)) {
        IgniteCache<Long, Object> cache =
            ignite.createCache(
                new CacheConfiguration<Long, Object>(mode.name()).setAtomicityMode(mode));
        assertThat(calls(cache, mode, 1))
            .as(mode.name())
            .isEqualTo(mode == CacheAtomicityMode.ATOMIC ? 2 : 1);
        assertThat(calls(cache, mode, 2)).as("the class is known").isEqualTo(1);
      }
    }
  }

  private static final class Increment implements CacheEntryProcessor<Long, Object, Void> {
    private static final long serialVersionUID = 1;

    @Override
    public Void process(MutableEntry<Long, Object> entry, Object... none) {
      CALLS.incrementAndGet();
      entry.setValue(entry.exists() ? (long) entry.getValue() + 1 : 1L);
      return null;
    }
  }

  @Test
  void aProcessorThatStoresNumbersIsCalledOnce() {
    try (Ignite ignite = Ignition.start(configuration())) {
      for (CacheAtomicityMode mode :
          List.of(CacheAtomicityMode.ATOMIC, CacheAtomicityMode.TRANSACTIONAL)) {
        IgniteCache<Long, Object> cache =
            ignite.createCache(
                new CacheConfiguration<Long, Object>(mode.name()).setAtomicityMode(mode));
        CALLS.set(0);
        for (int i = 0; i < 4_000; i++) {
          cache.invoke(i % 10L, new Increment());
        }
        assertThat(CALLS.get()).as(mode.name()).isEqualTo(4_000);
        assertThat(cache.get(0L)).isEqualTo(400L);
      }
    }
  }
}
