package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.IgniteState;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.affinity.AffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a server node or a thick client.
 *
 * <p>A call to a TRANSACTIONAL cache is a transaction with a time limit: where an application holds
 * the lock of a key, it is rolled back and the other keys are written without that one. One thread
 * has one call at a time, because Ignite chains the asynchronous transactional calls of a thread,
 * and after a reconnection of the client the chain never ends.
 */
final class ThickPort implements CachePort {
  private static final List<?> NOBODY = List.of("no node");

  /** Equals no value of the cache. */
  private static final UUID NO_VALUE = UUID.randomUUID();

  /** Keys that are tried; one in as many as there are nodes is of a given one. */
  private static final int MAX_ABSENT_KEYS = 1_000;

  private final Ignite ignite;
  private final IgniteCache<Object, Object> cache;
  private final IgniteCache<Object, Object> withoutStore;
  private final CacheConfiguration<?, ?> settings;
  private final long lockMillis;
  private final boolean confirms;
  private final int partitions;
  private final @Nullable AffinityFunction function;
  private volatile Affinity<Object> affinity;
  private volatile IgniteCache<?, ?> deployed;
  private volatile @Nullable IllegalStateException refusal;

  /** Creates a port that has Ignite repeat calls, and waits for locks, as the settings say. */
  @SuppressWarnings("unchecked")
  ThickPort(IgniteCache<?, ?> cache, Settings writer) {
    this.ignite = cache.unwrap(Ignite.class);
    this.cache = (IgniteCache<Object, Object>) (writer.repeats ? cache : cache.withNoRetries());
    this.withoutStore = this.cache.withSkipStore();
    this.settings = configuration(cache);
    this.confirms = backupsAcknowledge();
    this.deployed = ignite.cache(cache.getName());
    long millis = TimeUnit.NANOSECONDS.toMillis(Nanos.of(writer.writeTimeout)) / 20;
    this.lockMillis = Math.max(50, Math.min(millis, 1_000));
    this.affinity = ignite.affinity(cache.getName());
    this.partitions = affinity.partitions();
    boolean known = hasDefaultMapper(settings) && partitions(settings) == partitions;
    this.function = known ? settings.getAffinity() : null;
  }

  @SuppressWarnings("unchecked")
  private static CacheConfiguration<?, ?> configuration(IgniteCache<?, ?> cache) {
    return cache.getConfiguration(CacheConfiguration.class);
  }

  @SuppressWarnings("deprecation")
  private static boolean hasDefaultMapper(CacheConfiguration<?, ?> settings) {
    Object mapper = settings.getAffinityMapper();
    return mapper == null || mapper.getClass().getName().startsWith("org.apache.ignite.internal.");
  }

  @Override
  public CacheWriteSynchronizationMode synchronization() {
    return settings.getWriteSynchronizationMode();
  }

  @Override
  public Optional<Boolean> clientRepeatsWrites() {
    return Optional.of(false);
  }

  /**
   * The affinity of a cache passes several locks and look-ups for each key, so the cache's affinity
   * function is asked directly where that gives the same: objects of the JDK are their own affinity
   * keys.
   */
  @Override
  public int partition(Object key) {
    return function != null && key.getClass().getClassLoader() == null
        ? function.partition(key)
        : affinity.partition(key);
  }

  /** Asks anew each time: a client that has reconnected has new caches with new affinities. */
  @Override
  public Placement placement() {
    if (isActive()) {
      checkDeployed();
    }
    affinity = ignite.affinity(name());
    return new Placement(
        IntStream.range(0, partitions)
            .mapToObj(affinity::mapPartitionToPrimaryAndBackups)
            .map(nodes -> nodes.isEmpty() ? NOBODY : nodes.stream().map(ClusterNode::id).toList())
            .toList());
  }

  @Override
  public String name() {
    return cache.getName();
  }

  /** A call to a cache of an inactive cluster may never return, even when that is active again. */
  @Override
  public void send(BatchMap batch) {
    if (!isActive()) {
      throw new Fault.FoundException(
          Fault.Kind.NOT_SENT, new IgniteException("the cluster is inactive"));
    }
    if (!locksInOrder()) {
      if (confirms) {
        sendConfirmed(batch);
      } else {
        send(batch, batch.isRemoval());
      }
      return;
    }
    Map<Object, Object> sorted = new TreeMap<>(SendOrder.OF_LOCKS); // or Ignite warns of deadlocks
    sorted.putAll(batch);
    boolean isWhole = sorted.size() == batch.size(); // no two keys are of the same rank
    try (Transaction transaction =
        ignite
            .transactions()
            .txStart(
                TransactionConcurrency.OPTIMISTIC,
                TransactionIsolation.READ_COMMITTED,
                lockMillis,
                batch.size())) {
      send(isWhole ? sorted : batch, batch.isRemoval());
      transaction.commit();
    }
  }

  private void send(Map<Object, Object> entries, boolean removal) {
    if (removal) {
      cache.removeAll(entries.keySet());
    } else {
      cache.putAll(entries);
    }
  }

  /**
   * A server that is stopping fails keys of a call, and has backups acknowledge the others: Ignite
   * 2.17.0 takes their answers for that of the call, unless the server's own one is in time ({@code
   * lab/ignite-lost-writes.md}). Such a server refuses any later write, so each primary node is
   * asked for one that has no effect.
   */
  private void sendConfirmed(BatchMap batch) {
    List<@Nullable ClusterNode> primaries = primaries(batch);
    try {
      send(batch, batch.isRemoval());
    } catch (RuntimeException e) {
      if (!read(e).failedKeys().isEmpty()) {
        requireConfirmed(batch, primaries); // the keys that it does not name
      }
      throw e;
    }
    requireConfirmed(batch, primaries);
  }

  private void requireConfirmed(BatchMap batch, List<@Nullable ClusterNode> primaries) {
    if (batch.size() == 1) {
      return;
    }
    if (!primaries(batch).equals(primaries)) {
      throw new Fault.FoundException(
          Fault.Kind.PASSING, new IgniteException("partitions have moved"));
    }
    for (@Nullable ClusterNode primary : new HashSet<>(primaries)) {
      if (primary != null) {
        confirm(primary, batch);
      }
    }
  }

  private List<@Nullable ClusterNode> primaries(BatchMap batch) {
    return batch
        .partitions()
        .<@Nullable ClusterNode>mapToObj(affinity::mapPartitionToNode)
        .toList();
  }

  /** Any other answer than that the server leaves is one of a server that works. */
  private void confirm(ClusterNode primary, BatchMap batch) {
    try {
      Object key =
          absentKey(primary)
              .orElseGet(() -> batch.keyOf(of -> primary.equals(affinity.mapPartitionToNode(of))));
      if (batch.isRemoval()) {
        withoutStore.remove(key, NO_VALUE);
      } else {
        withoutStore.replace(key, NO_VALUE, NO_VALUE);
      }
    } catch (RuntimeException e) {
      if (read(e).kind() != Fault.Kind.KEYS) {
        throw new Fault.FoundException(Fault.Kind.PASSING, e);
      }
    }
  }

  /**
   * A key that no cache has, of a primary node. Of a key that exists the server would compare the
   * value, for which it needs its class. Some affinity functions take no such key.
   */
  private Optional<Object> absentKey(ClusterNode primary) {
    try {
      return IntStream.range(0, MAX_ABSENT_KEYS)
          .<Object>mapToObj(i -> new UUID(NO_VALUE.getMostSignificantBits(), i))
          .filter(key -> primary.equals(affinity.mapKeyToNode(key)))
          .findFirst();
    } catch (RuntimeException notItsKind) {
      return Optional.empty();
    }
  }

  private boolean backupsAcknowledge() {
    return settings.getWriteSynchronizationMode() == CacheWriteSynchronizationMode.FULL_SYNC
        && (settings.getBackups() > 0 || settings.getCacheMode() == CacheMode.REPLICATED);
  }

  @Override
  public Map<Object, Object> getAll(Set<Object> keys) {
    return cache.<Object, Object>withKeepBinary().getAllOutTx(keys);
  }

  @Override
  public Object toBinary(Object object) {
    return ignite.binary().toBinary(object);
  }

  @Override
  public Fault read(Throwable error) {
    return Fault.ofThick(error, this::isActive, this::isUsable);
  }

  private boolean isActive() {
    try {
      return ignite.cluster().state().active();
    } catch (RuntimeException disconnectedOrStopped) {
      return true;
    }
  }

  private boolean isUsable() {
    return Ignition.state(ignite.name()) == IgniteState.STARTED && !cache.isClosed();
  }

  @Override
  public boolean locksInOrder() {
    return settings.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }

  @Override
  public long mark() {
    return ignite.cluster().topologyVersion();
  }

  /**
   * Ignite 2.17.0 counts a server twice that answers that keys have moved and then leaves, and so
   * acknowledges a call that another server has not confirmed ({@code lab/ignite-lost-writes.md}).
   * Servers that join and clients that come and go do not concern a call that succeeded.
   */
  @Override
  public boolean mustRepeat(long mark) {
    if (ignite.cluster().topologyVersion() == mark) {
      return false;
    }
    @Nullable Collection<ClusterNode> before = ignite.cluster().topology(mark);
    if (before == null) {
      return true; // the history does not reach back so far
    }
    Set<UUID> now =
        ignite.cluster().nodes().stream().map(ClusterNode::id).collect(Collectors.toSet());
    return before.stream().anyMatch(node -> !node.isClient() && !now.contains(node.id()));
  }

  @Override
  public boolean hasLeft(Object node) {
    return node instanceof UUID id && isUsable() && ignite.cluster().node(id) == null;
  }

  @Override
  public String nameOf(Object node) {
    try {
      @Nullable ClusterNode of = node instanceof UUID id ? ignite.cluster().node(id) : null;
      return of == null ? node + "" : of.consistentId() + " (" + node + ")";
    } catch (RuntimeException disconnected) {
      return node + "";
    }
  }

  @Override
  public @Nullable IllegalStateException refusal() {
    return refusal;
  }

  private void checkDeployed() {
    IgniteCache<?, ?> now = ignite.cache(name());
    if (now == null || now == deployed) {
      return;
    }
    CacheConfiguration<?, ?> found = configuration(now);
    if (found.getWriteSynchronizationMode() != settings.getWriteSynchronizationMode()
        || found.getAtomicityMode() != settings.getAtomicityMode()
        || partitions(found) != partitions(settings)) {
      refusal =
          new IllegalStateException(
              "cache "
                  + name()
                  + " was destroyed and created again with another write synchronization, atomicity"
                  + " or number of partitions; open a new writer");
    }
    deployed = now;
  }

  private static int partitions(CacheConfiguration<?, ?> of) {
    return of.getAffinity() == null ? -1 : of.getAffinity().partitions();
  }
}
