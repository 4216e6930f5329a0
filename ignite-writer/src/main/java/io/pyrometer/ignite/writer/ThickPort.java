package io.pyrometer.ignite.writer;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
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
  private static final Object NOBODY = "no node";
  private static final UUID NO_VALUE = UUID.randomUUID(); // equals no value of the cache
  private static final int MAX_ABSENT_KEYS = 1_000; // one in as many as there are nodes will do

  private final Ignite ignite;
  private final IgniteCache<Object, Object> cache;
  private final CacheConfiguration<?, ?> settings;
  private final long lockMillis;
  private final boolean confirms;
  private final int partitions;
  private final @Nullable AffinityFunction function;
  private final Readiness readiness;
  private volatile Affinity<Object> affinity;
  private volatile Fault.@Nullable FoundException refusal;

  /** Creates a port that has Ignite repeat calls as the settings say. */
  @SuppressWarnings("unchecked")
  ThickPort(IgniteCache<?, ?> cache, Settings writer) {
    this.ignite = cache.unwrap(Ignite.class);
    this.cache = (IgniteCache<Object, Object>) (writer.repeats ? cache : cache.withNoRetries());
    this.settings = configuration(cache);
    this.readiness = new Readiness(name(), this::state);
    if (!writer.withoutOrder) {
      CachePort.requireOrder(name(), settings.getWriteSynchronizationMode());
    }
    this.confirms =
        !locksInOrder()
            && settings.getWriteSynchronizationMode() == CacheWriteSynchronizationMode.FULL_SYNC
            && (settings.getBackups() > 0 || settings.getCacheMode() == CacheMode.REPLICATED);
    this.lockMillis = writer.lockMillis();
    this.affinity = ignite.affinity(name());
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

  private static int partitions(CacheConfiguration<?, ?> of) {
    return of.getAffinity() == null ? -1 : of.getAffinity().partitions();
  }

  @Override
  public String name() {
    return cache.getName();
  }

  /**
   * Asks the affinity function where that gives the same, for objects of the JDK are their own
   * affinity keys: the affinity of a cache passes several locks and look-ups.
   */
  @Override
  public int partition(Object key) {
    return function != null && key.getClass().getClassLoader() == null
        ? function.partition(key)
        : affinity.partition(key);
  }

  /** Asks anew each time: a client that has reconnected has new caches with new affinities. */
  @Override
  public List<?> primaries() {
    boolean isReady = readiness.look() == Readiness.State.READY;
    @Nullable IgniteCache<?, ?> now = isReady ? ignite.cache(name()) : null;
    if (now != null && !traits(configuration(now)).equals(traits(settings))) {
      refusal = CachePort.createdAgain(name());
    }
    affinity = ignite.affinity(name());
    return IntStream.range(0, partitions)
        .<@Nullable ClusterNode>mapToObj(affinity::mapPartitionToNode)
        .map(node -> node == null ? NOBODY : node)
        .collect(Collectors.toList());
  }

  private static List<?> traits(CacheConfiguration<?, ?> of) {
    return List.of(of.getWriteSynchronizationMode(), of.getAtomicityMode(), partitions(of));
  }

  /** A call to a cache of an inactive cluster may never return, even when that is active again. */
  @Override
  public void send(BatchMap batch) {
    if (refusal != null) {
      throw refusal;
    }
    if (!isActive()) {
      throw new Fault.FoundException(
          Fault.Kind.NOT_SENT, new IgniteException("the cluster is inactive"));
    }
    long version = ignite.cluster().topologyVersion();
    List<@Nullable ClusterNode> primaries = confirms ? primaries(batch) : List.of();
    try {
      if (locksInOrder()) {
        sendInTransaction(batch);
      } else {
        send(batch, batch.isRemoval());
      }
    } catch (RuntimeException e) {
      if (!read(e).failedKeys.isEmpty()) {
        confirm(batch, version, primaries); // the keys that it does not name
      }
      throw e;
    }
    confirm(batch, version, primaries);
  }

  private void send(Map<Object, Object> entries, boolean removal) {
    if (removal) {
      cache.removeAll(entries.keySet());
    } else {
      cache.putAll(entries);
    }
  }

  private void sendInTransaction(BatchMap batch) {
    Map<Object, Object> sorted = new TreeMap<>(Key.LOCK_ORDER); // or Ignite warns of deadlocks
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

  private List<@Nullable ClusterNode> primaries(BatchMap batch) {
    BitSet all = new BitSet();
    batch.writes().forEach(write -> all.set(write.key.partition));
    return all.stream()
        .<@Nullable ClusterNode>mapToObj(affinity::mapPartitionToNode)
        .collect(Collectors.toList());
  }

  /**
   * Ignite may acknowledge a call too early ({@code lab/ignite-lost-writes.md}). Ignite 2.17.0
   * counts a server twice that answers that keys have moved and then leaves, and does not wait for
   * another one: servers that join and clients that come and go do not concern the call.
   *
   * <p>A server that is stopping fails keys of a call, and has backups acknowledge the others:
   * Ignite 2.17.0 takes their answers for that of the call, unless the server's own one is in time.
   * Such a server refuses any later write, so each primary node is asked for one that has no
   * effect.
   */
  private void confirm(BatchMap batch, long version, List<@Nullable ClusterNode> primaries) {
    if (confirms && batch.size() > 1) {
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
    if (hasServerLeftSince(version)) { // also while it was asked
      throw new Fault.FoundException(Fault.Kind.PASSING, new IgniteException("a server has left"));
    }
  }

  private boolean hasServerLeftSince(long version) {
    if (ignite.cluster().topologyVersion() == version) {
      return false;
    }
    @Nullable Collection<ClusterNode> before = ignite.cluster().topology(version);
    Collection<ClusterNode> now = new HashSet<>(ignite.cluster().nodes());
    return before == null // the history does not reach back so far
        || before.stream().anyMatch(node -> !node.isClient() && !now.contains(node));
  }

  /** Any other answer than that the server leaves is one of a server that works. */
  private void confirm(ClusterNode primary, BatchMap batch) {
    try {
      Object key = absentKey(primary, batch);
      if (batch.isRemoval()) {
        cache.withSkipStore().remove(key, NO_VALUE);
      } else {
        cache.withSkipStore().replace(key, NO_VALUE, NO_VALUE);
      }
    } catch (RuntimeException e) {
      if (read(e).kind != Fault.Kind.KEYS) {
        throw new Fault.FoundException(Fault.Kind.PASSING, e);
      }
    }
  }

  /**
   * A key of a primary node that no cache has: of one that exists the server would compare the
   * value, for which it needs its class. Where the affinity function takes no such key, one of the
   * batch.
   */
  private Object absentKey(ClusterNode primary, BatchMap batch) {
    try {
      for (int i = 0; i < MAX_ABSENT_KEYS; i++) {
        UUID key = new UUID(NO_VALUE.getMostSignificantBits(), i);
        if (primary.equals(affinity.mapKeyToNode(key))) {
          return key;
        }
      }
    } catch (RuntimeException notItsKind) {
      // as if none were found
    }
    return batch.writes().stream()
        .map(write -> write.key)
        .filter(key -> primary.equals(affinity.mapPartitionToNode(key.partition)))
        .findFirst()
        .orElseThrow()
        .encoded;
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
    Fault fault = Fault.ofThick(error, this::isActive, this::isRunning);
    return fault.kind == Fault.Kind.KEYS ? readiness.judge(fault) : fault;
  }

  private Readiness.State state() {
    try {
      if (!ignite.cluster().state().active()) {
        return Readiness.State.UNREADY;
      }
      if (!ignite.cacheNames().contains(name())) {
        return Readiness.State.ABSENT;
      }
      ignite.affinity(name()).mapPartitionToNode(0);
      return Readiness.State.READY;
    } catch (RuntimeException disconnectedOrNotStarted) {
      return Readiness.State.UNREADY;
    }
  }

  private boolean isActive() {
    try {
      return ignite.cluster().state().active();
    } catch (RuntimeException disconnectedOrStopped) {
      return true;
    }
  }

  private boolean isRunning() {
    return Ignition.state(ignite.name()) == IgniteState.STARTED;
  }

  @Override
  public boolean locksInOrder() {
    return settings.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }

  @Override
  public boolean hasLeft(Object node) {
    return node instanceof ClusterNode
        && isRunning()
        && ignite.cluster().node(((ClusterNode) node).id()) == null;
  }
}
