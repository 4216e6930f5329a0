package io.pyrometer.ignite.writer;

import java.util.List;
import java.util.Optional;
import org.apache.ignite.cache.CacheEntryProcessor;

/**
 * What stands in a lane in the place of a value where more than a value is to be written. It is
 * sent alone, neither merged with other writes of its key nor repeated.
 */
sealed interface Operation<R> {
  /** Completes with what the cache answers. */
  GuardedFuture<R> result();

  /** The value to be written, where there is one. */
  Optional<?> value();

  /** Writes a value where the key has none. */
  record PutIfAbsent<V>(V absentValue, GuardedFuture<Boolean> result)
      implements Operation<Boolean> {
    @Override
    public Optional<V> value() {
      return Optional.of(absentValue);
    }
  }

  /** Runs an entry processor on the server. */
  record Invoke<K, V, R>(
      CacheEntryProcessor<K, V, R> processor, List<Object> arguments, GuardedFuture<R> result)
      implements Operation<R> {
    @Override
    public Optional<V> value() {
      return Optional.empty();
    }
  }
}
