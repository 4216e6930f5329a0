package io.pyrometer.driver.ignite.client;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import io.pyrometer.load.Call;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.lang.IgniteFuture;
import org.jspecify.annotations.Nullable;

/**
 * A cache as access paths call it, whichever client they call it through. What a call throws is
 * Ignite's own; an asynchronous one reports its end to the {@link Call}.
 *
 * @param <K> the cache's keys
 */
public interface CachePort<K> extends AutoCloseable {

  /** The record of a key, or null where there is none. */
  @Nullable Object get(K key);

  /** The records of those keys that have one. */
  Map<K, Object> getAll(Set<K> keys);

  void put(K key, Object value);

  void putAsync(K key, Object value, Call call);

  void putAll(Map<K, Object> batch);

  void putAllAsync(Map<K, Object> batch, Call call);

  /** A writer to the cache, to be closed before this port. */
  IgniteWriterBuilder<K, Object> writer();

  /** Closes a client that belongs to this port alone; the cache stays. */
  @Override
  void close();

  /**
   * Through the agent's own node, which all load threads share.
   *
   * @param binary whether values are taken and given as binary objects
   */
  static <K> CachePort<K> thick(Ignite ignite, String name, boolean binary) {
    IgniteCache<K, Object> cache = ignite.cache(name);
    return new Thick<>(binary ? cache.withKeepBinary() : cache);
  }

  /**
   * Through a new client outside the cluster.
   *
   * @param binary whether values are taken and given as binary objects
   * @throws GridException if it cannot connect
   */
  static <K> CachePort<K> thin(ClientConfiguration configuration, String name, boolean binary) {
    try {
      IgniteClient client = Ignition.startClient(configuration);
      ClientCache<K, Object> cache = client.cache(name);
      return new Thin<>(client, binary ? cache.withKeepBinary() : cache);
    } catch (ClientException e) {
      throw new GridException(
          "A thin client could not connect: " + GridException.cause(e) + ".", e);
    }
  }

  /** Through a node of the cluster. */
  record Thick<K>(IgniteCache<K, Object> cache) implements CachePort<K> {

    @Override
    public @Nullable Object get(K key) {
      return cache.get(key);
    }

    @Override
    public Map<K, Object> getAll(Set<K> keys) {
      return cache.getAll(keys);
    }

    @Override
    public void put(K key, Object value) {
      cache.put(key, value);
    }

    @Override
    public void putAsync(K key, Object value, Call call) {
      report(cache.putAsync(key, value), call);
    }

    @Override
    public void putAll(Map<K, Object> batch) {
      cache.putAll(batch);
    }

    @Override
    public void putAllAsync(Map<K, Object> batch, Call call) {
      report(cache.putAllAsync(batch), call);
    }

    @Override
    public IgniteWriterBuilder<K, Object> writer() {
      return IgniteWriter.to(cache);
    }

    @Override
    public void close() {}

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
  }

  /** Through a thin client of its own. */
  record Thin<K>(IgniteClient client, ClientCache<K, Object> cache) implements CachePort<K> {

    @Override
    public @Nullable Object get(K key) {
      return cache.get(key);
    }

    @Override
    public Map<K, Object> getAll(Set<K> keys) {
      return cache.getAll(keys);
    }

    @Override
    public void put(K key, Object value) {
      cache.put(key, value);
    }

    @Override
    public void putAsync(K key, Object value, Call call) {
      var unused = cache.putAsync(key, value).whenComplete((none, e) -> FunctionPath.end(call, e));
    }

    @Override
    public void putAll(Map<K, Object> batch) {
      cache.putAll(batch);
    }

    @Override
    public void putAllAsync(Map<K, Object> batch, Call call) {
      var unused = cache.putAllAsync(batch).whenComplete((none, e) -> FunctionPath.end(call, e));
    }

    @Override
    public IgniteWriterBuilder<K, Object> writer() {
      return IgniteWriter.to(cache);
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
