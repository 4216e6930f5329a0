package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.lang.IgniteFuture;
import org.jspecify.annotations.Nullable;

/**
 * A cache as access paths call it, whichever client they call it through. What a call throws is
 * Ignite's own.
 *
 * @param <K> the cache's keys
 * @param writer a writer to the cache, to be closed before this port
 * @param client is closed with this port; the cache stays
 */
record CachePort<K>(
    Function<K, @Nullable Object> get,
    Function<Set<K>, Map<K, Object>> getAll,
    Function<ScanQuery<K, Object>, QueryCursor<Cache.Entry<K, Object>>> scan,
    BiConsumer<K, Object> put,
    BiFunction<K, Object, CompletionStage<?>> putAsync,
    Consumer<Map<K, Object>> putAll,
    Function<Map<K, Object>, CompletionStage<?>> putAllAsync,
    Consumer<K> remove,
    Supplier<IgniteWriterBuilder<K, Object>> writer,
    Runnable client)
    implements AutoCloseable {

  /**
   * Through the agent's own node, which all load threads share.
   *
   * @param binary whether values are taken and given as binary objects
   */
  static <K> CachePort<K> thick(Ignite ignite, String name, boolean binary) {
    IgniteCache<K, Object> any = ignite.cache(name);
    IgniteCache<K, Object> cache = binary ? any.withKeepBinary() : any;
    return new CachePort<>(
        cache::get,
        cache::getAll,
        cache::query,
        cache::put,
        (key, value) -> stage(cache.putAsync(key, value)),
        cache::putAll,
        batch -> stage(cache.putAllAsync(batch)),
        cache::remove,
        () -> IgniteWriter.to(cache),
        () -> {});
  }

  /** Stage that completes as a future of Ignite's does. */
  static CompletableFuture<Void> stage(IgniteFuture<?> future) {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    future.listen(
        ended -> {
          try {
            ended.get();
            stage.complete(null);
          } catch (RuntimeException failure) {
            stage.completeExceptionally(failure);
          }
        });
    return stage;
  }

  /**
   * Through a new client outside the cluster.
   *
   * @param binary whether values are taken and given as binary objects
   * @throws GridException if it cannot connect
   */
  static <K> CachePort<K> thin(ClientConfiguration configuration, String name, boolean binary) {
    IgniteClient client = ClientNode.connect(configuration);
    ClientCache<K, Object> any = client.cache(name);
    ClientCache<K, Object> cache = binary ? any.withKeepBinary() : any;
    return new CachePort<>(
        cache::get,
        cache::getAll,
        cache::query,
        cache::put,
        cache::putAsync,
        cache::putAll,
        cache::putAllAsync,
        cache::remove,
        () -> IgniteWriter.to(cache),
        client::close);
  }

  @Override
  public void close() {
    client.run();
  }
}
