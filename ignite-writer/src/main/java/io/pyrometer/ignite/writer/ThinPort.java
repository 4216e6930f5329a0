package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientCacheConfiguration;
import org.apache.ignite.client.ClientTransaction;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a thin client. Calls block on the writer's own threads: the client's asynchronous
 * calls would be completed by the common pool.
 *
 * <p>Partitions are those of a cache without an affinity function or affinity keys of its own, on
 * the primary nodes that a partition-aware client knows; to another client all are of one node.
 * Where a cache has other partitions, lanes and batches are as right, and grouped for nothing.
 */
final class ThinPort implements CachePort {
  private static final long POLL_NANOS = 1_000_000_000;

  private final ClientCache<Object, Object> cache;
  private final ClientCacheConfiguration settings;
  private final ThinInternals internals;
  private final RendezvousAffinityFunction function;
  private final Readiness readiness;
  private final long lockMillis;
  private List<?> primaries;
  private volatile Fault.@Nullable FoundException refusal;
  private long lastPoll = System.nanoTime();

  /** Sends batches to the nodes that hold their keys, where the client's connections allow it. */
  @SuppressWarnings("unchecked")
  ThinPort(ClientCache<?, ?> cache, Settings writer) {
    this.cache = (ClientCache<Object, Object>) cache;
    this.settings = cache.getConfiguration();
    this.internals = ThinInternals.of(cache);
    this.readiness = new Readiness(name(), this::state);
    this.lockMillis = writer.lockMillis();
    if (!writer.withoutOrder) {
      CachePort.requireOrder(name(), settings.getWriteSynchronizationMode());
      internals.requireNoRetries();
    }
    List<?> known = internals.primaries();
    this.primaries =
        known.isEmpty()
            ? Collections.nCopies(RendezvousAffinityFunction.DFLT_PARTITION_COUNT, "cluster")
            : known;
    this.function = new RendezvousAffinityFunction(false, primaries.size());
  }

  @Override
  public String name() {
    return cache.getName();
  }

  @Override
  public int partition(Object key) {
    return function.partition(key);
  }

  /** As last known: while a client asks anew, after a change of the topology, it knows nothing. */
  @Override
  public synchronized List<?> primaries() {
    if (System.nanoTime() - lastPoll >= POLL_NANOS) { // because it is a call to the cluster
      lastPoll = System.nanoTime();
      boolean isReady = readiness.look() == Readiness.State.READY;
      ClientCacheConfiguration found = isReady ? cache.getConfiguration() : settings;
      if (found.getWriteSynchronizationMode() != settings.getWriteSynchronizationMode()
          || found.getAtomicityMode() != settings.getAtomicityMode()) {
        refusal = CachePort.createdAgain(name());
      }
    }
    List<?> now = internals.primaries();
    primaries = now.size() == primaries.size() ? now : primaries;
    return primaries;
  }

  /** A request is sent after all its entries have been read: what fails before was not sent. */
  @Override
  public void send(BatchMap batch) {
    if (refusal != null) {
      throw refusal;
    }
    try {
      if (locksInOrder()) {
        sendInTransaction(batch);
      } else if (internals.partitionAware) {
        internals.send(batch);
      } else {
        sendAnywhere(batch);
      }
    } catch (RuntimeException | Error e) {
      if (batch.wasRead()) {
        throw e;
      }
      throw new Fault.FoundException(Fault.Kind.NOT_SENT, e);
    }
  }

  private void sendAnywhere(BatchMap batch) {
    if (batch.isRemoval()) {
      cache.removeAll(batch.keySet());
    } else {
      cache.putAll(batch);
    }
  }

  /**
   * Sends writes in a transaction with a time limit, as a thick client does. It is not applied
   * unless the request to commit it was sent. Nothing but its time tells that a lock was not free.
   */
  private void sendInTransaction(BatchMap batch) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lockMillis);
    ClientTransaction transaction =
        internals.transactions.txStart(
            TransactionConcurrency.OPTIMISTIC, TransactionIsolation.READ_COMMITTED, lockMillis);
    boolean commits = false;
    boolean committed = false;
    try {
      sendAnywhere(batch);
      commits = true;
      transaction.commit();
      committed = true;
    } catch (RuntimeException e) {
      boolean answered = Fault.serverError(e).isPresent();
      if (answered && System.nanoTime() - end >= 0) {
        throw new Fault.FoundException(Fault.Kind.LOCKED, e);
      }
      throw commits || answered ? e : new Fault.FoundException(Fault.Kind.NOT_SENT, e);
    } finally {
      if (!committed) {
        transaction.close();
      }
    }
  }

  @Override
  public Map<Object, Object> getAll(Set<Object> keys) {
    return cache.withKeepBinary().getAll(keys);
  }

  @Override
  public Object toBinary(Object object) {
    return internals.toBinary(object);
  }

  /** A server refuses calls in an inactive or read-only cluster as if for their keys. */
  @Override
  public Fault read(Throwable error) {
    Fault fault = Fault.ofThin(error);
    return fault.kind == Fault.Kind.KEYS ? readiness.judge(fault) : fault;
  }

  private Readiness.State state() {
    try {
      if (internals.cluster.state() != ClusterState.ACTIVE) {
        return Readiness.State.UNREADY;
      }
      cache.getConfiguration();
      return Readiness.State.READY;
    } catch (RuntimeException e) {
      return Fault.isOfStoppedCache(e) ? Readiness.State.ABSENT : Readiness.State.UNREADY;
    }
  }

  @Override
  public boolean locksInOrder() {
    return settings.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }
}
