package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.cache.configuration.FactoryBuilder;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientRetryAllPolicy;
import org.apache.ignite.client.ClientRetryPolicy;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that an outside review found, by their numbers there, on a real cluster. */
@Timeout(120)
class RegressionIT {
  /** Longer by far than a write stays in the queue behind {@link SlowStore}. */
  private static final Duration IN_DOUBT = Duration.ofSeconds(6);

  @TempDir private static Path folder;
  private static TestCluster cluster;
  private static Ignite thick;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.start(2, 1); // one thread for all thin clients of a node: see b2
    thick = cluster.thick();
  }

  @AfterAll
  static void stop() {
    try {
      thick.close();
    } finally {
      cluster.close();
    }
  }

  private static <K, V> CacheConfiguration<K, V> cache(
      String name, CacheWriteSynchronizationMode mode) {
    return TestCluster.<K, V>cache(name).setBackups(1).setWriteSynchronizationMode(mode);
  }

  @Test
  void b1CachesWithFullAsyncAreRefusedUnlessAllowedByName() {
    IgniteCache<Long, Long> cache =
        thick.createCache(cache("full-async", CacheWriteSynchronizationMode.FULL_ASYNC));
    assertThatThrownBy(() -> IgniteWriter.to(cache).open())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("full-async");
    try (IgniteClient thin = cluster.thin()) {
      assertThatThrownBy(() -> IgniteWriter.to(thin.<Long, Long>cache("full-async")).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("FULL_ASYNC");
    }
    try (IgniteWriter<Long, Long> writer =
        IgniteWriter.to(cache).with(own -> own.withoutOrder = true).open()) {
      writer.write(1L, 1L).join();
    }
  }

  @Test
  void b2ThinClientsThatRepeatWritesAreRefusedUnlessAllowedByName() {
    thick.getOrCreateCache(cache("plain", CacheWriteSynchronizationMode.FULL_SYNC));
    ClientConfiguration repeating =
        TestCluster.thinConfiguration()
            .setRetryPolicy(new ClientRetryAllPolicy())
            .setAddresses("127.0.0.1:" + cluster.thinPort(0));
    try (IgniteClient thin = Ignition.startClient(repeating)) {
      assertThatThrownBy(() -> IgniteWriter.to(thin.<Long, Long>cache("plain")).open())
          .as("found where Ignite keeps it")
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ClientRetryReadPolicy");
      ClientCache<Long, Long> cache = thin.cache("plain");
      IgniteWriter.to(cache).with(own -> own.withoutOrder = true).open().close();
      assertThatThrownBy(() -> IgniteWriter.to(wrapped(cache)).open())
          .as("what cannot be found out is refused")
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /** As tracing or a container wraps a cache. */
  @SuppressWarnings("unchecked")
  private static ClientCache<Long, Long> wrapped(ClientCache<Long, Long> cache) {
    return (ClientCache<Long, Long>)
        Proxy.newProxyInstance(
            RegressionIT.class.getClassLoader(),
            new Class<?>[] {ClientCache.class},
            (proxy, method, arguments) -> method.invoke(cache, arguments));
  }

  /** The fault itself, to show that the next test could find it. */
  @Test
  @Tag("extended")
  void b2WithTheClientsOwnRetriesAnAcknowledgedWriteIsOverwrittenByAnOlderOne() throws Exception {
    Zombie seen = zombie("repeating", new ClientRetryAllPolicy(), false);
    assertThat(seen.older).as("acknowledged, by the second server").isEqualTo("acknowledged");
    assertThat(seen.newer).isEqualTo("acknowledged");
    assertThat(seen.later).as("the first server has worked off its queue").isEqualTo("older");
  }

  /** f22: the first writer was closed while its write was in doubt. */
  @ParameterizedTest
  @CsvSource({"fenced, false", "reopened, true"})
  void b2NoAcknowledgedWriteIsOverwrittenByAnOlderOneInDoubt(String name, boolean reopens)
      throws Exception {
    Zombie seen = zombie(name, new ClientRetryReadPolicy(), reopens);
    assertThat(seen.older).isEqualTo("acknowledged");
    assertThat(seen.newer).isEqualTo("acknowledged");
    assertThat(seen.later).as("the newer one waited for the older").isEqualTo("newer");
  }

  private record Zombie(String older, String newer, String later) {}

  /** A write queues at a server when its connection breaks; the next one goes to another server. */
  private static Zombie zombie(String name, ClientRetryPolicy policy, boolean reopens)
      throws Exception {
    thick.createCache(cache(name, CacheWriteSynchronizationMode.FULL_SYNC));
    Path begun = folder.resolve(name);
    CacheConfiguration<Long, String> slow =
        TestCluster.<Long, String>cache("slow-" + name)
            .setWriteThrough(true)
            .setCacheStoreFactory(FactoryBuilder.factoryOf(new SlowStore(begun)));
    thick.createCache(slow);
    String first = "127.0.0.1:" + cluster.thinPort(0);
    try (Relay relay = new Relay(cluster.thinPort(0));
        IgniteClient other = Ignition.startClient(unaware().setAddresses(first));
        IgniteClient thin = connectThrough(relay, policy)) {
      IgniteWriter<Long, String> writer =
          IgniteWriter.to(thin.<Long, String>cache(name))
              .with(own -> own.withoutOrder = true)
              .inDoubtFor(IN_DOUBT)
              .open();
      writer.write(5L, "zero").get(9, TimeUnit.SECONDS);
      var busy = other.<Long, String>cache("slow-" + name).putAsync(1L, "x");
      Eventually.holds("the server's only thread for them is busy", () -> Files.exists(begun));
      long before = relay.sent();
      CompletableFuture<Void> older = writer.write(5L, "older" + " ".repeat(1_000));
      Eventually.holds("it queues at the server", () -> relay.sent() > before + 1_000);
      relay.breakClients(true);
      if (reopens) {
        writer.close();
        writer = IgniteWriter.to(thin.<Long, String>cache(name)).open();
      }
      CompletableFuture<Void> newer = writer.write(5L, "newer");
      String olderEnd = end(older);
      String newerEnd = end(newer);
      busy.get();
      String later = other.<Long, String>cache(name).get(5L).strip(); // behind the older one
      writer.flushAsync().handle((done, error) -> done).get(9, TimeUnit.SECONDS);
      writer.close();
      return new Zombie(olderEnd, newerEnd, later);
    }
  }

  private static ClientConfiguration unaware() {
    return TestCluster.thinConfiguration()
        .setPartitionAwarenessEnabled(false)
        .setClusterDiscoveryEnabled(false);
  }

  /** The client turns to the lowest port first, which is the relay's. */
  private static IgniteClient connectThrough(Relay relay, ClientRetryPolicy policy) {
    IgniteClient thin =
        Ignition.startClient(
            unaware()
                .setRetryPolicy(policy)
                .setAddresses("127.0.0.1:" + relay.port(), "127.0.0.1:" + cluster.thinPort(1)));
    assertThat(relay.connections()).isPositive();
    return thin;
  }

  private static String end(CompletableFuture<Void> write) throws Exception {
    try {
      write.get(40, TimeUnit.SECONDS);
      return "acknowledged";
    } catch (ExecutionException e) {
      return e.getCause().getCause().getClass().getSimpleName();
    }
  }

  @Test
  void b12IgniteWarnsOfNothingInATransactionalCache() {
    Queue<String> warned = new ConcurrentLinkedQueue<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (String.valueOf(record.getMessage()).contains("Unordered")) {
              warned.add(record.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger.getLogger("").addHandler(handler);
    try {
      CacheConfiguration<Long, String> settings =
          cache("transactional", CacheWriteSynchronizationMode.FULL_SYNC);
      IgniteCache<Long, String> cache =
          thick.createCache(settings.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
      cache.putAll(new HashMap<>(Map.of(1L, "a", 2L, "b")));
      assertThat(warned).as("a map of another kind is warned of").hasSize(1);
      warned.clear();
      try (IgniteWriter<Long, String> writer = IgniteWriter.to(cache).lanes(1).open()) {
        for (long key = 0; key < 1_000; key++) {
          writer.write(key, "v");
          writer.remove(key / 2);
        }
      }
      assertThat(warned).isEmpty();
    } finally {
      Logger.getLogger("").removeHandler(handler);
    }
  }

  private static final class NewToTheCluster implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String text = "x";

    @Override
    public String toString() {
      return text;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hangALostMetadataMessageFailsTheWritesOfItsClassAloneAndInTime(boolean inACollection)
      throws Exception {
    String name = "metadata-" + inACollection;
    thick.createCache(cache(name, CacheWriteSynchronizationMode.FULL_SYNC));
    CutDiscovery discovery = new CutDiscovery();
    // Not closed: Ignite would wait for the hung thread. See IGNITE_NO_SHUTDOWN_HOOK in the POM.
    Ignite client = cluster.thick("loses-" + name, discovery);
    IgniteCache<Long, Object> cache = client.cache(name);
    IgniteWriter<Long, Object> writer =
        IgniteWriter.to(cache).maxWait(Duration.ofSeconds(2)).open();
    writer.write(0L, new StockOrder(0)).get(20, TimeUnit.SECONDS);
    discovery.loseNextMetadataProposal();
    NewToTheCluster lost = new NewToTheCluster();
    assertThatThrownBy(() -> writer.write(1L, inACollection ? List.of(lost) : lost))
        .isInstanceOf(WriteTimeoutException.class);
    assertThat(discovery.hasLostIt()).isTrue();
    writer.write(2L, "string").get(20, TimeUnit.SECONDS);
    writer.write(3L, new StockOrder(3)).get(20, TimeUnit.SECONDS);
    writer.close(Duration.ofSeconds(20));
    assertThat(cache.size()).isEqualTo(3);
  }
}
