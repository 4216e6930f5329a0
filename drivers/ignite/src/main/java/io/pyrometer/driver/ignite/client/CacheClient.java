package io.pyrometer.driver.ignite.client;

import io.pyrometer.ignite.writer.IgniteWriterBuilder;
import io.pyrometer.load.Call;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A trial's cache as an access path calls it, so that one path serves every kind of client. What a
 * call throws is Ignite's own; an asynchronous call reports its completion to the {@link Call}.
 */
public interface CacheClient extends AutoCloseable {

  /** The record of a key, or null where there is none. */
  @Nullable Object get(long key);

  /** The records of those keys that have one. */
  Map<Long, Object> getAll(Set<Long> keys);

  void put(long key, Object value);

  void putAsync(long key, Object value, Call call);

  void putAll(Map<Long, Object> batch);

  void putAllAsync(Map<Long, Object> batch, Call call);

  /** A writer to the cache, to be closed before this client. */
  IgniteWriterBuilder<Long, Object> writer();

  /** Gives back what this client alone holds; the cache stays. */
  @Override
  void close();
}
