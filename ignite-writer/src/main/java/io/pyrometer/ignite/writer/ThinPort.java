package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.client.ClientAuthenticationException;
import org.apache.ignite.client.ClientAuthorizationException;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientConnectionException;

/** A cache of a thin client, which does not say which keys of a call failed. */
final class ThinPort<K, V> implements CachePort<K, V> {
  private final ClientCache<K, V> cache;
  private final boolean locksInOrder;

  ThinPort(ClientCache<K, V> cache) {
    this.cache = cache;
    this.locksInOrder =
        cache.getConfiguration().getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }

  @Override
  public CompletionStage<?> putAll(Map<K, V> entries) {
    return cache.putAllAsync(entries);
  }

  @Override
  public CompletionStage<?> removeAll(Set<K> keys) {
    return cache.removeAllAsync(keys);
  }

  @Override
  public Fault read(Throwable error) {
    Causes causes = Causes.of(error);
    Fault.Kind kind =
        causes.hasAny(ClientAuthenticationException.class, ClientAuthorizationException.class)
            ? Fault.Kind.FINAL
            : causes.hasAny(ClientConnectionException.class) ? Fault.Kind.PASSING : Fault.Kind.KEYS;
    return Fault.ofAll(kind, Causes.unwrapped(error));
  }

  @Override
  public boolean locksInOrder() {
    return locksInOrder;
  }
}
