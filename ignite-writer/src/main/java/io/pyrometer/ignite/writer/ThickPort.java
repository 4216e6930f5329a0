package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.IgniteState;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
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
  private final Ignite ignite;
  private final IgniteCache<Object, Object> cache;
  private final CacheConfiguration<?, ?> settings;
  private final long lockMillis;
  private volatile IgniteCache<?, ?> deployed;
  private volatile @Nullable IllegalStateException refusal;

  /**
   * Creates a port.
   *
   * @param retries whether Ignite may repeat a call whose primary node left
   * @param lockMillis how long a transaction waits for the locks of its keys
   */
  @SuppressWarnings("unchecked")
  ThickPort(IgniteCache<?, ?> cache, boolean retries, long lockMillis) {
    this.ignite = cache.unwrap(Ignite.class);
    this.cache = (IgniteCache<Object, Object>) (retries ? cache : cache.withNoRetries());
    this.settings = configuration(cache);
    this.deployed = ignite.cache(cache.getName());
    this.lockMillis = lockMillis;
  }

  @SuppressWarnings("unchecked")
  private static CacheConfiguration<?, ?> configuration(IgniteCache<?, ?> cache) {
    return cache.getConfiguration(CacheConfiguration.class);
  }

  static CacheWriteSynchronizationMode synchronization(IgniteCache<?, ?> cache) {
    return configuration(cache).getWriteSynchronizationMode();
  }

  @Override
  public String name() {
    return cache.getName();
  }

  @Override
  public void putAll(Map<Object, Object> entries) {
    Map<Object, Object> sorted = new TreeMap<>(SendOrder.OF_LOCKS);
    if (locksInOrder()) { // or Ignite warns of deadlocks
      sorted.putAll(entries);
    }
    call(entries.size(), () -> cache.putAll(sorted.size() == entries.size() ? sorted : entries));
  }

  @Override
  public void removeAll(Set<Object> keys) {
    Set<Object> sorted = new TreeSet<>(SendOrder.OF_LOCKS);
    if (locksInOrder()) {
      sorted.addAll(keys);
    }
    call(keys.size(), () -> cache.removeAll(sorted.size() == keys.size() ? sorted : keys));
  }

  /** A call to a cache of an inactive cluster may never return, even when that is active again. */
  private void call(int entries, Runnable operation) {
    if (!isActive()) {
      throw new Faults.NotSentException(new IgniteException("the cluster is inactive"));
    }
    if (!locksInOrder()) {
      operation.run();
      return;
    }
    try (Transaction transaction =
        ignite
            .transactions()
            .txStart(
                TransactionConcurrency.OPTIMISTIC,
                TransactionIsolation.READ_COMMITTED,
                lockMillis,
                entries)) {
      operation.run();
      transaction.commit();
    }
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
    return Faults.ofThick(error, this::isActive, this::isUsable);
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
    return Optional.ofNullable(node instanceof UUID id ? ignite.cluster().node(id) : null)
        .map(of -> of.consistentId() + " (" + of.id() + ")")
        .orElse(String.valueOf(node));
  }

  @Override
  public void poll() {
    if (!isActive()) {
      return;
    }
    IgniteCache<?, ?> now = ignite.cache(name());
    if (now == deployed || now == null) {
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

  @Override
  public @Nullable IllegalStateException refusal() {
    return refusal;
  }

  private static int partitions(CacheConfiguration<?, ?> of) {
    return of.getAffinity() == null ? -1 : of.getAffinity().partitions();
  }

  static long lockMillis(Duration writeTimeout) {
    long millis = TimeUnit.NANOSECONDS.toMillis(Nanos.of(writeTimeout)) / 20;
    return Math.max(50, Math.min(millis, 1_000));
  }
}
