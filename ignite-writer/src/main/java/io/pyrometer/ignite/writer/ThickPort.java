package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteState;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.lang.IgniteFuture;

/** A cache of a server node or a thick client. */
final class ThickPort<K, V> implements CachePort<K, V> {
  private final Ignite ignite;
  private final IgniteCache<K, V> cache;
  private final CacheConfiguration<K, V> settings;

  @SuppressWarnings("unchecked")
  ThickPort(IgniteCache<K, V> cache) {
    this.ignite = cache.unwrap(Ignite.class);
    this.cache = cache;
    this.settings = cache.getConfiguration(CacheConfiguration.class);
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
    return confirmed(() -> cache.putAllAsync(entries));
  }

  @Override
  public CompletionStage<?> removeAll(Set<K> keys) {
    return confirmed(() -> cache.removeAllAsync(keys));
  }

  @Override
  public CompletionStage<Boolean> putIfAbsent(K key, V value) {
    return stage(cache.putIfAbsentAsync(key, value));
  }

  @Override
  public <R> CompletionStage<R> invoke(
      K key, CacheEntryProcessor<K, V, R> processor, Object... arguments) {
    return stage(cache.invokeAsync(key, processor, arguments));
  }

  /**
   * Makes a call of several keys again until no node has joined or left while it was under way.
   * Ignite 2.17.0 counts a server twice that answers that keys have moved and then leaves, and so
   * acknowledges a call that another server has not confirmed ({@code lab/ignite-lost-writes.md}).
   * No later write of these keys is under way meanwhile.
   */
  private CompletionStage<?> confirmed(Supplier<IgniteFuture<?>> call) {
    long topology = ignite.cluster().topologyVersion();
    return stage(call.get())
        .thenCompose(
            done ->
                ignite.cluster().topologyVersion() == topology
                    ? CompletableFuture.completedStage(null)
                    : CompletableFuture.supplyAsync(() -> confirmed(call))
                        .thenCompose(again -> again));
  }

  /** Completes on the thread that completes Ignite's future: the writer moves on to its own. */
  private static <T> CompletionStage<T> stage(IgniteFuture<T> future) {
    CompletableFuture<T> stage = new CompletableFuture<>();
    future.listenAsync(done -> settle(done, stage), Runnable::run);
    return stage;
  }

  private static <T> void settle(IgniteFuture<T> done, CompletableFuture<T> stage) {
    try {
      stage.complete(done.get());
    } catch (RuntimeException | Error e) {
      stage.completeExceptionally(e);
    }
  }

  @Override
  public void register(Object keyOrValue) {
    ignite.binary().toBinary(keyOrValue);
  }

  @Override
  public Fault read(Throwable error) {
    return ThickFaults.read(error, this::isUsable);
  }

  private boolean isUsable() {
    return !cache.isClosed() && Ignition.state(ignite.name()) == IgniteState.STARTED;
  }

  @Override
  public boolean locksInOrder() {
    return settings.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }
}
