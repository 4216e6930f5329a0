package io.pyrometer.ignite.writer;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.ClientAuthenticationException;
import org.apache.ignite.client.ClientAuthorizationException;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientCacheConfiguration;
import org.apache.ignite.client.ClientConnectionException;

/**
 * A cache of a thin client, which does not say which keys of a call failed. A call whose connection
 * broke is in doubt: the server may still have it in a queue and work it off at any later time.
 */
final class ThinPort<K, V> implements CachePort<K, V> {
  /** What a server's answer says when it could not see an update through to its end. */
  private static final String[] UNFINISHED = {
    "nodestopping",
    "node is stopping",
    "grid is in invalid state",
    "clustertopology",
    "topology",
    "client node disconnected",
    "clientdisconnected",
    "timeout",
    "timed out"
  };

  private final ClientCache<K, V> cache;
  private final ClientCacheConfiguration settings;
  private final Optional<PrimaryChannels> primaries;
  private volatile boolean reachable = true;

  /** Sends batches to the nodes that hold their keys, where the client's connections lead there. */
  ThinPort(ClientCache<K, V> cache, Optional<PrimaryChannels> primaries) {
    this.cache = cache;
    this.settings = cache.getConfiguration();
    this.primaries = primaries;
  }

  CacheWriteSynchronizationMode synchronization() {
    return settings.getWriteSynchronizationMode();
  }

  @Override
  public String name() {
    return cache.getName();
  }

  @Override
  public CompletionStage<?> putAll(Map<K, V> entries) {
    return primaries.isPresent() ? primaries.get().putAll(entries) : cache.putAllAsync(entries);
  }

  @Override
  public CompletionStage<?> removeAll(Set<K> keys) {
    return primaries.isPresent() ? primaries.get().removeAll(keys) : cache.removeAllAsync(keys);
  }

  @Override
  public CompletionStage<Boolean> putIfAbsent(K key, V value) {
    return cache.putIfAbsentAsync(key, value);
  }

  @Override
  public <R> CompletionStage<R> invoke(
      K key, CacheEntryProcessor<K, V, R> processor, Object... arguments) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("thin clients of Ignite 2.16 have no invoke"));
  }

  /** Thin clients register classes by calls of their own, which end with their connection. */
  @Override
  public void register(Object keyOrValue) {}

  @Override
  public CompletionStage<?> probe(K key) {
    return cache.containsKeyAsync(key).thenRun(() -> reachable = true);
  }

  @Override
  public boolean isReachable() {
    return reachable;
  }

  @Override
  public Fault read(Throwable error) {
    Causes causes = Causes.of(error);
    Throwable told = Causes.unwrapped(error);
    if (causes.hasAny(ClientAuthenticationException.class, ClientAuthorizationException.class)) {
      return Fault.ofAll(Fault.Kind.FINAL, told);
    }
    if (causes.hasAny(ClientConnectionException.class)) {
      reachable = false;
      return Fault.ofAll(Fault.Kind.IN_DOUBT, told);
    }
    return Fault.ofAll(isUnfinished(told) ? Fault.Kind.IN_DOUBT : Fault.Kind.KEYS, told);
  }

  private static boolean isUnfinished(Throwable error) {
    String said = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
    return Stream.of(UNFINISHED).anyMatch(said::contains);
  }

  @Override
  public boolean locksInOrder() {
    return settings.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }
}
