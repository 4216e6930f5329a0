package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import io.pyrometer.load.Call;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
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
 * Ignite's own; an asynchronous one reports its end to the {@link Call}.
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
    PutAsync<K> putAsync,
    Consumer<Map<K, Object>> putAll,
    BiConsumer<Map<K, Object>, Call> putAllAsync,
    Consumer<K> remove,
    Supplier<IgniteWriterBuilder<K, Object>> writer,
    Runnable client)
    implements AutoCloseable {

  /** Begins to write one record. */
  interface PutAsync<K> {
    void begin(K key, Object value, Call call);
  }

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
        (key, value, call) -> report(cache.putAsync(key, value), call),
        cache::putAll,
        (batch, call) -> report(cache.putAllAsync(batch), call),
        cache::remove,
        () -> IgniteWriter.to(cache),
        () -> {});
  }

  private static void report(IgniteFuture<?> future, Call call) {
    future.listen(
        ended -> {
          try {
            ended.get();
          } catch (RuntimeException e) {
            call.failed(e);
            return;
          }
          call.done();
        });
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
        (key, value, call) -> report(cache.putAsync(key, value), call),
        cache::putAll,
        (batch, call) -> report(cache.putAllAsync(batch), call),
        cache::remove,
        () -> IgniteWriter.to(cache),
        client::close);
  }

  private static void report(CompletionStage<?> stage, Call call) {
    var unused = stage.whenComplete((none, failure) -> FunctionPath.end(call, failure));
  }

  @Override
  public void close() {
    client.run();
  }
}
