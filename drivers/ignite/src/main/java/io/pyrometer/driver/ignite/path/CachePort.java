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
 * @param writer a writer to the cache, to be closed before this port
 * @param client is closed with this port; the cache stays
 */
record CachePort(
    Function<Object, @Nullable Object> get,
    Function<Set<Object>, Map<Object, Object>> getAll,
    Function<ScanQuery<Object, Object>, QueryCursor<Cache.Entry<Object, Object>>> scan,
    BiConsumer<Object, Object> put,
    BiFunction<Object, Object, CompletionStage<?>> putAsync,
    Consumer<Map<Object, Object>> putAll,
    Function<Map<Object, Object>, CompletionStage<?>> putAllAsync,
    Consumer<Object> remove,
    Supplier<IgniteWriterBuilder<Object, Object>> writer,
    Runnable client)
    implements AutoCloseable {

  /**
   * Through the agent's own node, which all load threads share.
   *
   * @param binary whether values are taken and given as binary objects
   */
  static CachePort thick(Ignite ignite, String name, boolean binary) {
    IgniteCache<Object, Object> any = ignite.cache(name);
    IgniteCache<Object, Object> cache = binary ? any.withKeepBinary() : any;
    return new CachePort(
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
  static CachePort thin(ClientConfiguration configuration, String name, boolean binary) {
    IgniteClient client = ClientNode.connect(configuration);
    ClientCache<Object, Object> any = client.cache(name);
    ClientCache<Object, Object> cache = binary ? any.withKeepBinary() : any;
    return new CachePort(
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
