package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.Poll;
import io.pyrometer.driver.ignite.FaultyCommunication.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.ReadRepairStrategy;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.internal.processors.cache.distributed.dht.GridDhtTxFinishRequest;
import org.apache.ignite.internal.processors.cache.distributed.dht.GridDhtTxPrepareRequest;
import org.apache.ignite.internal.processors.cache.distributed.dht.atomic.GridDhtAtomicAbstractUpdateRequest;
import org.apache.ignite.lang.IgniteFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies of an entry that differ: {@code lab/ignite-divergent-copies.md}. */
@Tag("endurance")
class DivergentCopiesIT {
  private static final String CACHE = "entries";

  /** The messages of a primary node to its backups. */
  private enum Step {
    ATOMIC_UPDATE(CacheAtomicityMode.ATOMIC, GridDhtAtomicAbstractUpdateRequest.class),
    PREPARE(CacheAtomicityMode.TRANSACTIONAL, GridDhtTxPrepareRequest.class),
    FINISH(CacheAtomicityMode.TRANSACTIONAL, GridDhtTxFinishRequest.class);

    private final CacheAtomicityMode mode;
    private final Class<?> message;

    Step(CacheAtomicityMode mode, Class<?> message) {
      this.mode = mode;
      this.message = message;
    }
  }

  @TempDir Path folder;

  private EmbeddedGrid grid;

  @BeforeEach
  void prepare() {
    grid =
        new EmbeddedGrid(
            folder,
            node -> node.setClientFailureDetectionTimeout(5_000).setNetworkSendRetryDelay(100));
  }

  @AfterEach
  void stopAll() {
    grid.close();
  }

  private static CacheConfiguration<Integer, Integer> cache(
      CacheAtomicityMode mode, CacheWriteSynchronizationMode sync) {
    return new CacheConfiguration<Integer, Integer>(CACHE)
        .setAtomicityMode(mode)
        .setWriteSynchronizationMode(sync)
        .setBackups(2);
  }

  private boolean isConsistent(int key) {
    return new HashSet<>(grid.copies(CACHE, key).values()).size() == 1;
  }

  /** Keys whose primary node is not the oldest server, all of one partition. */
  private static List<Integer> keysOfOnePartition(Ignite node, int count) {
    Affinity<Integer> affinity = node.affinity(CACHE);
    ClusterNode oldest = node.cluster().forServers().forOldest().node();
    int first =
        IntStream.range(0, 1_000)
            .filter(key -> !affinity.mapKeyToNode(key).id().equals(oldest.id()))
            .findFirst()
            .orElseThrow();
    return IntStream.iterate(first, key -> key + 1)
        .filter(key -> affinity.partition(key) == affinity.partition(first))
        .limit(count)
        .boxed()
        .toList();
  }

  /** Event between the failure and the checks. */
  private enum Sequel {
    /** A server without data joins. */
    NEW_SERVER,
    /** The server that was the primary node returns with its data. */
    PRIMARY_RETURNS,
    /** Another key of the partition is written, then the server that was the primary returns. */
    WRITE_AND_PRIMARY_RETURNS,
    /** The server that missed the update is restarted. */
    STALE_RESTARTS
  }

  /** IEP-12: a primary node and an initiator end when one backup has an update, and one has not. */
  @ParameterizedTest
  @CsvSource({
    "ATOMIC_UPDATE, client, 1, NEW_SERVER",
    "ATOMIC_UPDATE, client, 2, NEW_SERVER",
    "ATOMIC_UPDATE, primary, 1, NEW_SERVER",
    "ATOMIC_UPDATE, client, 1, PRIMARY_RETURNS",
    "ATOMIC_UPDATE, client, 1, WRITE_AND_PRIMARY_RETURNS",
    "ATOMIC_UPDATE, client, 1, STALE_RESTARTS",
    "PREPARE, client, 1, NEW_SERVER",
    "FINISH, client, 1, NEW_SERVER",
    "FINISH, primary, 1, NEW_SERVER",
  })
  void primaryAndInitiatorEndBetweenTwoBackups(
      Step step, String initiatorRole, int missed, Sequel sequel) {
    boolean persistent = sequel != Sequel.NEW_SERVER;
    IntStream.range(0, 3).forEach(number -> grid.server(number, persistent));
    Ignite oldest = grid.servers().get(0);
    oldest.cluster().state(ClusterState.ACTIVE);
    Ignite client = grid.client();
    client.createCache(cache(step.mode, CacheWriteSynchronizationMode.FULL_SYNC));
    grid.awaitRebalanced(CACHE);
    List<Integer> keys = keysOfOnePartition(oldest, 2);
    int key = keys.get(0);
    List<ClusterNode> owners = List.copyOf(oldest.affinity(CACHE).mapKeyToPrimaryAndBackups(key));
    Ignite primary = grid.of(owners.get(0));
    Ignite without = grid.of(owners.get(missed));
    Ignite with = grid.of(owners.get(3 - missed));
    client.cache(CACHE).put(key, 1);

    Ignite initiator = initiatorRole.equals("client") ? client : primary;
    FaultyCommunication communication = EmbeddedGrid.communication(primary);
    communication.affect(without.name(), Fault.DROP, step.message);
    IgniteFuture<?> write = initiator.cache(CACHE).putAsync(key, 2);
    EmbeddedGrid.await(() -> communication.affected(without.name()) > 0);
    if (step != Step.PREPARE) {
      EmbeddedGrid.await(() -> Integer.valueOf(2).equals(grid.copies(CACHE, key).get(with.name())));
    }
    assertThat(write.isDone()).as("the write waits for both backups").isFalse();
    grid.kill(initiator == client ? List.of(client, primary) : List.of(primary));
    grid.awaitRebalanced(CACHE);
    assertThat(isConsistent(key)).isEqualTo(step.mode == CacheAtomicityMode.TRANSACTIONAL);
    if (sequel == Sequel.WRITE_AND_PRIMARY_RETURNS) {
      grid.servers().get(0).cache(CACHE).put(keys.get(1), 3);
    }
    switch (sequel) {
      case NEW_SERVER -> grid.server(3, false);
      case PRIMARY_RETURNS, WRITE_AND_PRIMARY_RETURNS -> grid.server(number(primary), true);
      case STALE_RESTARTS -> {
        grid.awaitFewerChangesThanSeconds();
        grid.stop(without);
        grid.server(number(without), true);
      }
    }
    grid.awaitRebalanced(CACHE);
    assertThat(isConsistent(key))
        .isEqualTo(
            step.mode == CacheAtomicityMode.TRANSACTIONAL || sequel == Sequel.STALE_RESTARTS);
    if (sequel == Sequel.WRITE_AND_PRIMARY_RETURNS) {
      assertThat(grid.copies(CACHE, keys.get(1)).get(primary.name()))
          .as("an acknowledged write, which its primary node lacks")
          .isNull();
    }
    Object unused =
        grid.servers().get(0).cache(CACHE).withReadRepair(ReadRepairStrategy.LWW).get(key);
    assertThat(isConsistent(key)).as("after read repair").isTrue();
  }

  private static int number(Ignite server) {
    return Integer.parseInt(server.name().substring("server-".length()));
  }

  /** A primary node cannot send an update to a backup that stays in the cluster. */
  @ParameterizedTest
  @CsvSource({
    "ATOMIC_UPDATE, PRIMARY_SYNC",
    "ATOMIC_UPDATE, FULL_SYNC",
    "PREPARE, PRIMARY_SYNC",
    "PREPARE, FULL_SYNC",
    "FINISH, PRIMARY_SYNC",
    "FINISH, FULL_SYNC",
  })
  void anUpdateCannotBeSentToABackup(Step step, CacheWriteSynchronizationMode sync) {
    IntStream.range(0, 3).forEach(number -> grid.server(number, false));
    Ignite backup = grid.servers().get(0);
    Ignite primary = grid.servers().get(2);
    Ignite client = grid.client();
    IgniteCache<Integer, Integer> cache = client.createCache(cache(step.mode, sync));
    grid.awaitRebalanced(CACHE);
    Affinity<Integer> affinity = backup.affinity(CACHE);
    // The backup becomes the primary node when the primary node has left.
    List<Integer> keys =
        IntStream.range(0, 1_000)
            .filter(
                key ->
                    List.copyOf(affinity.mapKeyToPrimaryAndBackups(key))
                        .subList(0, 2)
                        .equals(
                            List.of(primary.cluster().localNode(), backup.cluster().localNode())))
            .limit(2)
            .boxed()
            .toList();
    int rewritten = keys.get(0);
    int key = keys.get(1);
    keys.forEach(each -> cache.put(each, 1));
    EmbeddedGrid.await(
        () -> keys.stream().allMatch(each -> !grid.copies(CACHE, each).containsValue(null)));
    FaultyCommunication communication = EmbeddedGrid.communication(primary);
    communication.affect(backup.name(), Fault.FAIL, step.message);
    List<IgniteFuture<?>> writes = new ArrayList<>();
    for (int each : keys) {
      writes.add(cache.putAsync(each, 2));
      boolean unused = Poll.until(Duration.ofSeconds(5), writes.get(writes.size() - 1)::isDone);
    }
    // Each message is tried four times.
    EmbeddedGrid.await(() -> communication.affected(backup.name()) >= 8);
    communication.heal(backup.name());
    boolean unused = Poll.until(Duration.ofSeconds(5), () -> false);
    boolean recovers = step == Step.PREPARE;
    boolean answers = step != Step.ATOMIC_UPDATE || sync != CacheWriteSynchronizationMode.FULL_SYNC;
    EmbeddedGrid.await(() -> isConsistent(key) || !recovers);
    EmbeddedGrid.await(() -> writes.stream().allMatch(IgniteFuture::isDone) || !answers);
    assertThat(isConsistent(key)).isEqualTo(recovers);
    assertThat(writes.stream().allMatch(IgniteFuture::isDone)).isEqualTo(answers);
  }
}
