package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.lang.IgniteFuture;

/** A cache of a server node or a thick client. */
final class ThickPort<K, V> implements CachePort<K, V> {
  private final IgniteCache<K, V> cache;
  private final boolean locksInOrder;

  @SuppressWarnings("unchecked")
  ThickPort(IgniteCache<K, V> cache) {
    this.cache = cache;
    CacheConfiguration<K, V> settings = cache.getConfiguration(CacheConfiguration.class);
    this.locksInOrder = settings.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }

  @Override
  public CompletionStage<?> putAll(Map<K, V> entries) {
    return stage(cache.putAllAsync(entries));
  }

  @Override
  public CompletionStage<?> removeAll(Set<K> keys) {
    return stage(cache.removeAllAsync(keys));
  }

  /** Completes on the thread that completes Ignite's future: the writer moves on to its own. */
  private static CompletionStage<?> stage(IgniteFuture<?> future) {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    future.listenAsync(done -> settle(done, stage), Runnable::run);
    return stage;
  }

  private static void settle(IgniteFuture<?> done, CompletableFuture<Void> stage) {
    try {
      done.get();
      stage.complete(null);
    } catch (RuntimeException | Error e) {
      stage.completeExceptionally(e);
    }
  }

  @Override
  public Fault read(Throwable error) {
    return ThickFaults.read(error);
  }

  @Override
  public boolean locksInOrder() {
    return locksInOrder;
  }
}
