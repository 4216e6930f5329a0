package io.pyrometer.driver.ignite.client;

import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import io.pyrometer.load.Call;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.lang.IgniteFuture;
import org.jspecify.annotations.Nullable;

/** Through the agent's thick client, which all load threads share. */
public final class ThickCacheClient implements CacheClient {
  private final IgniteCache<Long, Object> cache;

  public ThickCacheClient(IgniteCache<Long, Object> cache) {
    this.cache = cache;
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
  public void close() {}

  private static void tell(IgniteFuture<?> future, Call call) {
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
