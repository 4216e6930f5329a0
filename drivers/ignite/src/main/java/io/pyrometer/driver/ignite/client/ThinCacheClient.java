package io.pyrometer.driver.ignite.client;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.IgniteErrors;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import io.pyrometer.load.Call;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.client.IgniteClientFuture;
import org.apache.ignite.configuration.ClientConfiguration;
import org.jspecify.annotations.Nullable;

/** Through a thin client of one load thread, with its own connections. */
public final class ThinCacheClient implements CacheClient {
  private final IgniteClient client;
  private final ClientCache<Long, Object> cache;

  private ThinCacheClient(IgniteClient client, ClientCache<Long, Object> cache) {
    this.client = client;
    this.cache = cache;
  }

  /**
   * Connects a client.
   *
   * @param binary whether values are taken and given as binary objects
   * @throws GridException if it cannot connect
   */
  public static ThinCacheClient connect(
      ClientConfiguration configuration, String cacheName, boolean binary) {
    try {
      IgniteClient client = Ignition.startClient(configuration);
      ClientCache<Long, Object> cache = client.cache(cacheName);
      return new ThinCacheClient(client, binary ? cache.withKeepBinary() : cache);
    } catch (ClientException e) {
      throw new GridException("A thin client could not connect: " + IgniteErrors.cause(e) + ".", e);
    }
  }

  @Override
  public @Nullable Object get(long key) {
    return cache.get(key);
  }

  @Override
  public Map<Long, Object> getAll(Set<Long> keys) {
    return cache.getAll(keys);
  }

  @Override
  public void put(long key, Object value) {
    cache.put(key, value);
  }

  @Override
  public void putAsync(long key, Object value, Call call) {
    tell(cache.putAsync(key, value), call);
  }

  @Override
  public void putAll(Map<Long, Object> batch) {
    cache.putAll(batch);
  }

  @Override
  public void putAllAsync(Map<Long, Object> batch, Call call) {
    tell(cache.putAllAsync(batch), call);
  }

  @Override
  public IgniteWriterBuilder<Long, Object> writer() {
    return IgniteWriter.to(cache);
  }

  @Override
  public void close() {
    client.close();
  }

  private static void tell(IgniteClientFuture<?> future, Call call) {
    var unused =
        future.whenComplete(
            (nothing, cause) -> {
              if (cause == null) {
                call.done();
              } else {
                call.failed(cause);
              }
            });
  }
}
