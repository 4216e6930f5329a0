package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports of others about Ignite, tried again: {@code lab/ignite-defects.md}. */
@Tag("extended")
class KnownIssuesIT {
  private static final int KEYS = 500;
  private static final String CACHE = "entries";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private Ignite ignite;

  @BeforeEach
  void start() {
    ignite =
        Ignition.start(
            new IgniteConfiguration()
                .setLocalHost("127.0.0.1")
                .setWorkDirectory(folder.toString())
                .setConnectorConfiguration(null)
                .setClientConnectorConfiguration(null)
                .setDiscoverySpi(
                    new TcpDiscoverySpi().setIpFinder(new TcpDiscoveryVmIpFinder(true))));
  }

  @AfterEach
  void stop() {
    ignite.close();
  }

  private static Map<Integer, Integer> all(int value) {
    Map<Integer, Integer> all = new TreeMap<>();
    IntStream.range(0, KEYS).forEach(key -> all.put(key, value));
    return all;
  }

  /** Not a record, whose fields Ignite cannot access. */
  private static class Stored {
    final int call;

    Stored(int call) {
      this.call = call;
    }
  }

  private static final class StoredToo extends Stored {
    StoredToo(int call) {
      super(call);
    }
  }

  /** Stores how often it was called: a number, or an object of a class. */
  private static final class Counted implements CacheEntryProcessor<Integer, Object, Integer> {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger CALLS = new AtomicInteger();
    private final Class<?> type;

    Counted(Class<?> type) {
      this.type = type;
    }

    @Override
    public Integer process(MutableEntry<Integer, Object> entry, Object... none) {
      int call = CALLS.incrementAndGet();
      entry.setValue(
          type == Stored.class
              ? new Stored(call)
              : type == StoredToo.class ? new StoredToo(call) : (Object) call);
      return call;
    }
  }

  /** {@code lab/ignite-defects.md}: twice if it stores the first value of a class. */
  @ParameterizedTest
  @CsvSource({"ATOMIC, 2", "TRANSACTIONAL, 1"})
  void aProcessorMayBeCalledTwiceByAnAtomicCache(CacheAtomicityMode mode, int calls) {
    Class<?> type = mode == CacheAtomicityMode.ATOMIC ? Stored.class : StoredToo.class;
    IgniteCache<Integer, Object> cache =
        ignite.createCache(new CacheConfiguration<Integer, Object>(CACHE).setAtomicityMode(mode));
    for (int key = 0; key < 3; key++) {
      Counted.CALLS.set(0);
      Class<?> stored = key < 2 ? type : Integer.class;
      int answered = cache.invoke(key, new Counted(stored));
      assertThat(answered).as("the last call is answered").isEqualTo(Counted.CALLS.get());
      assertThat(answered).as("key %d", key).isEqualTo(key == 0 ? calls : 1);
      assertThat(cache.get(key) instanceof Stored found ? found.call : cache.get(key))
          .as("and stored")
          .isEqualTo(answered);
    }
  }

  /** Issue 12540: while a transaction commits, {@code getAll} reads a part of its keys. */
  @Test
  void readsOfManyKeysSeePartsOfACommit() {
    IgniteCache<Integer, Integer> cache =
        ignite.createCache(
            new CacheConfiguration<Integer, Integer>(CACHE)
                .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    cache.putAll(all(0));
    assertThat(mixedReads(cache, TransactionIsolation.READ_COMMITTED)).isPositive();
    assertThat(mixedReads(cache, TransactionIsolation.REPEATABLE_READ)).isZero();
  }

  /** The reads of 500 or more that saw parts of a commit. */
  private int mixedReads(IgniteCache<Integer, Integer> cache, TransactionIsolation isolation) {
    Set<Integer> keys = all(0).keySet();
    AtomicInteger value = new AtomicInteger();
    AtomicBoolean ends = new AtomicBoolean();
    CompletableFuture<Void> writes =
        CompletableFuture.runAsync(
            () -> {
              while (!ends.get()) {
                try (Transaction all = begin(TransactionIsolation.REPEATABLE_READ)) {
                  cache.putAll(all(value.incrementAndGet()));
                  all.commit();
                }
              }
            });
    boolean mixes = isolation == TransactionIsolation.READ_COMMITTED;
    int mixed = 0;
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (int i = 0;
        i < 500 || ((value.get() <= 5 || (mixes && mixed == 0)) && System.nanoTime() < end);
        i++) {
      try (Transaction read = begin(isolation)) {
        mixed += new HashSet<>(cache.getAll(keys).values()).size() > 1 ? 1 : 0;
        read.commit();
      }
    }
    ends.set(true);
    writes.join();
    assertThat(value.get()).as("transactions").isGreaterThan(5);
    return mixed;
  }

  private Transaction begin(TransactionIsolation isolation) {
    return ignite.transactions().txStart(TransactionConcurrency.PESSIMISTIC, isolation);
  }
}
