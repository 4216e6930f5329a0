package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.configuration.FactoryBuilder;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.PartitionLossPolicy;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientRetryAllPolicy;
import org.apache.ignite.client.ClientRetryPolicy;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.client.events.ConnectionClosedEvent;
import org.apache.ignite.client.events.ConnectionEventListener;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that an outside review found, by their numbers there, on a real cluster. */
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RegressionIT {
  /** Longer by far than a write stays in the queue behind {@link SlowStore}. */
  private static final Duration IN_DOUBT = Duration.ofSeconds(6);

  private static final long KEYS = 100;

  @TempDir private static Path folder;
  private static TestCluster cluster;
  private static Ignite thick;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.start(2, 1, 200); // one thread for all thin clients of a node: see b2
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

  @Test
  void b1CachesWithFullAsyncAreRefused() {
    IgniteCache<Long, Long> cache =
        thick.createCache(
            OnSharedCluster.<Long, Long>fullSync("full-async")
                .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_ASYNC));
    assertThatThrownBy(() -> IgniteWriter.to(cache).open())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("full-async");
    try (IgniteClient thin = cluster.thin()) {
      assertThatThrownBy(() -> IgniteWriter.to(thin.<Long, Long>cache("full-async")).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("FULL_ASYNC");
    }
  }

  @Test
  void b2ThinClientsThatRepeatWritesAreRefused() {
    thick.getOrCreateCache(OnSharedCluster.fullSync("plain"));
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
    assertThat(lastOfTwo("repeating", new ClientRetryAllPolicy()).strip()).isEqualTo("older");
  }

  @Test
  void b2NoAcknowledgedWriteIsOverwrittenByAnOlderOneInDoubt() throws Exception {
    assertThat(lastOfTwo("fenced", new ClientRetryReadPolicy())).isEqualTo("newer");
  }

  /**
   * A write queues at a server when its connection breaks; the next one goes to another server.
   * Both are acknowledged; returns which one remains when the first server has worked off its
   * queue.
   */
  private static String lastOfTwo(String name, ClientRetryPolicy policy) throws Exception {
    thick.createCache(OnSharedCluster.fullSync(name));
    Path begun = folder.resolve(name);
    CacheConfiguration<Long, String> slow =
        TestCluster.<Long, String>cache("slow-" + name)
            .setWriteThrough(true)
            .setCacheStoreFactory(FactoryBuilder.factoryOf(new SlowStore(begun)));
    thick.createCache(slow);
    String first = "127.0.0.1:" + cluster.thinPort(0);
    try (Relay relay = new Relay(cluster.thinPort(0));
        IgniteClient other = Ignition.startClient(unaware().setAddresses(first));
        IgniteClient thin = connectThrough(relay, policy);
        IgniteWriter<Long, String> writer =
            IgniteWriter.to(thin.<Long, String>cache(name))
                .with(own -> own.withoutOrder = true)
                .inDoubtFor(IN_DOUBT)
                .open()) {
      writer.write(5L, "zero").get(9, TimeUnit.SECONDS);
      var busy = other.<Long, String>cache("slow-" + name).putAsync(1L, "x");
      Eventually.holds("the server's only thread for them is busy", () -> Files.exists(begun));
      long before = relay.sent();
      CompletableFuture<Void> older = writer.write(5L, "older" + " ".repeat(1_000));
      Eventually.holds("it queues at the server", () -> relay.sent() > before + 1_000);
      relay.breakClients(true);
      writer.write(5L, "newer").get(40, TimeUnit.SECONDS);
      older.get(40, TimeUnit.SECONDS);
      busy.get();
      return other.<Long, String>cache(name).get(5L); // behind the older one
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

  /** With partition awareness a client keeps a connection to each server, without it to one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connectionsThatTheServerClosesWhileAThinWriterIsIdleFailNoWrite(boolean aware)
      throws Exception {
    thick.getOrCreateCache(OnSharedCluster.fullSync("closed"));
    AtomicInteger closed = new AtomicInteger();
    ConnectionEventListener listener =
        new ConnectionEventListener() {
          @Override
          public void onConnectionClosed(ConnectionClosedEvent event) {
            closed.incrementAndGet();
          }
        };
    try (IgniteClient own =
            Ignition.startClient(
                TestCluster.thinConfiguration()
                    .setPartitionAwarenessEnabled(aware)
                    .setClusterDiscoveryEnabled(false)
                    .setReconnectThrottlingPeriod(0)
                    .setEventListeners(listener)
                    .setAddresses("127.0.0.1:" + cluster.thinPort(1)));
        IgniteWriter<Long, Object> writer =
            IgniteWriter.to(own.<Long, Object>cache("closed"))
                .with(s -> s.topologyPollNanos = Settings.FOREVER) // the connection is idle
                .open()) {
      Eventually.holds("closed by the server", () -> closed.get() > 0);
      for (long key = 0; key < 20; key++) {
        writer.write(key, "v").get(60, TimeUnit.SECONDS);
      }
      writer.flush();
      assertThat(writer.stats().keysInDoubt()).isZero();
    }
  }

  /** The last test, as the server takes the only copies of its partitions with it. */
  @Test
  @Order(Integer.MAX_VALUE)
  void writesThatIgniteRefusesFailAloneAndSucceedWhenLostPartitionsAreReset() throws Exception {
    List<PartitionLossPolicy> policies =
        List.of(PartitionLossPolicy.READ_WRITE_SAFE, PartitionLossPolicy.READ_ONLY_SAFE);
    for (PartitionLossPolicy policy : policies) {
      for (String client : List.of("thick", "thin")) {
        thick.createCache(
            TestCluster.<Long, Object>cache(client + policy).setPartitionLossPolicy(policy));
      }
    }
    cluster.kill(1);
    Eventually.holds("left", () -> thick.cluster().forServers().nodes().size() == 1);
    try (IgniteClient thin = cluster.thin()) {
      for (PartitionLossPolicy policy : policies) {
        refusedWritesFailAlone(IgniteWriter.to(thick.cache("thick" + policy)), policy, true);
        refusedWritesFailAlone(IgniteWriter.to(thin.cache("thin" + policy)), policy, false);
      }
    }
  }

  /**
   * Checks one cache.
   *
   * @param retriable whether the client is told why a write is refused
   */
  private static void refusedWritesFailAlone(
      IgniteWriterBuilder<Long, Object> builder, PartitionLossPolicy policy, boolean retriable)
      throws Exception {
    String name = (retriable ? "thick" : "thin") + policy;
    IgniteCache<Long, Object> cache = thick.cache(name);
    Eventually.holds("lost", () -> !cache.lostPartitions().isEmpty());
    Collection<Integer> lost = Set.copyOf(cache.lostPartitions());
    Affinity<Long> affinity = thick.affinity(name);
    boolean all = policy == PartitionLossPolicy.READ_ONLY_SAFE;
    try (IgniteWriter<Long, Object> writer = builder.open()) {
      Map<Long, WriteFailedException> failed = writeAll(writer);
      for (long key = 0; key < KEYS; key++) {
        assertThat(failed.containsKey(key))
            .as("key %s of %s failed", key, name)
            .isEqualTo(all || lost.contains(affinity.partition(key)));
      }
      assertThat(failed.values().stream().map(WriterException::isRetriable).distinct())
          .containsExactly(retriable);
      assertThat(writer.stats().keysInDoubt()).isZero();
      thick.resetLostPartitions(Set.of(name));
      assertThat(writeAll(writer)).isEmpty();
    }
    assertThat(cache.size()).isEqualTo((int) KEYS);
  }

  /** Writes all keys, and returns the failures by key. */
  private static Map<Long, WriteFailedException> writeAll(IgniteWriter<Long, Object> writer)
      throws Exception {
    Map<Long, CompletableFuture<Void>> writes = new TreeMap<>();
    for (long key = 0; key < KEYS; key++) {
      writes.put(key, writer.write(key, "v"));
    }
    writer.flushAsync().handle((done, error) -> error).get(60, TimeUnit.SECONDS);
    Map<Long, WriteFailedException> failed = new TreeMap<>();
    writes.forEach(
        (key, write) -> {
          assertThat(write).isDone();
          if (write.isCompletedExceptionally()) {
            Throwable error = write.handle((done, e) -> e).join();
            failed.put(key, (WriteFailedException) Fault.unwrapped(error));
          }
        });
    return failed;
  }

  private static final class NewToTheCluster implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String text = "x";

    @Override
    public String toString() {
      return text;
    }
  }

  /** Of a class within a collection; {@link EdgeCasesTest} has one that is the value itself. */
  @Test
  void hangALostMetadataMessageFailsTheWritesOfItsClassAloneAndInTime() throws Exception {
    thick.createCache(OnSharedCluster.fullSync("metadata"));
    CutDiscovery discovery = new CutDiscovery();
    // Not closed: Ignite would wait for the hung thread. See IGNITE_NO_SHUTDOWN_HOOK in the POM.
    Ignite client = cluster.thick("loses-metadata", discovery);
    IgniteCache<Long, Object> cache = client.cache("metadata");
    IgniteWriter<Long, Object> writer =
        IgniteWriter.to(cache).maxWait(Duration.ofSeconds(2)).open();
    writer.write(0L, new StockOrder(0)).get(20, TimeUnit.SECONDS);
    discovery.loseNextMetadataProposal();
    assertThatThrownBy(() -> writer.write(1L, List.of(new NewToTheCluster())))
        .isInstanceOf(WriteTimeoutException.class);
    assertThat(discovery.hasLostIt()).isTrue();
    writer.write(2L, "string").get(20, TimeUnit.SECONDS);
    writer.write(3L, new StockOrder(3)).get(20, TimeUnit.SECONDS);
    writer.close(Duration.ofSeconds(20));
    assertThat(cache.size()).isEqualTo(3);
  }
}
