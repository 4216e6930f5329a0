package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.client.ClientCache;

/**
 * Writes entries to one cache in the background, many at a time, keeping the order of the writes of
 * each key. Safe for threads; the order is that of one thread, or of calls that happen before one
 * another.
 *
 * <pre>{@code
 * try (IgniteWriter<Long, Order> writer = IgniteWriter.to(cache).open()) {
 *   for (Order order : orders) {
 *     writer.write(order.id(), order);
 *   }
 *   writer.flush();
 * }
 * }</pre>
 *
 * <p>What holds:
 *
 * <ul>
 *   <li>Of several writes of a key the last one remains. Writes that have not been sent yet are
 *       merged: only the last is sent, and all their futures complete when it is acknowledged.
 *   <li>A future completes normally when the cache has acknowledged the write, with the cache's own
 *       guarantees (backups, write synchronisation), and with a {@link WriteFailedException} when
 *       it failed for good. Writes are repeated after passing faults, so that one write may be
 *       applied more than once, never out of order.
 *   <li>Memory is bounded: {@code write} waits while there is no room.
 *   <li>Keys and values are marshalled when they are sent: they must not be changed before their
 *       future is complete.
 * </ul>
 *
 * <p>A future may be the same for several writes of a key. Stages that depend on it without a name
 * ending in {@code Async} run on the writer's own threads and must not wait: a write that would
 * have to, a flush or a close throws {@link IllegalStateException} there.
 */
public final class IgniteWriter<K, V> implements AutoCloseable {
  private final Pipeline<K, V> pipeline;

  IgniteWriter(Pipeline<K, V> pipeline) {
    this.pipeline = pipeline;
  }

  /** A writer to a cache of a server node or of a thick client, in the cache's own binary mode. */
  public static <K, V> IgniteWriterBuilder<K, V> to(IgniteCache<K, V> cache) {
    return IgniteWriterBuilder.thick(cache);
  }

  /** A writer to a cache of a thin client, in the cache's own binary mode. */
  public static <K, V> IgniteWriterBuilder<K, V> to(ClientCache<K, V> cache) {
    return IgniteWriterBuilder.thin(cache);
  }

  /**
   * Takes a write. Waits while there is no room for it.
   *
   * @return completes when the value, or a later one of the same key, is acknowledged
   * @throws IllegalStateException if the writer is closed, also while it waited
   * @throws WriteTimeoutException if there was no room within the write timeout
   * @throws org.apache.ignite.IgniteInterruptedException if the thread was interrupted while it
   *     waited; it stays interrupted and the write was not taken
   */
  public CompletableFuture<Void> write(K key, V value) {
    Objects.requireNonNull(value, "value");
    return pipeline.offer(Objects.requireNonNull(key, "key"), value, null);
  }

  /**
   * Takes writes one after the other, on the same terms as {@link #write}. One future for all costs
   * less than one for each where somebody waits for them. What this throws concerns one of the
   * writes: those before it were taken.
   *
   * @return completes when each of the values, or a later one of its key, is acknowledged; fails as
   *     the first of the writes that failed
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  public CompletableFuture<Void> writeAll(
      Iterable<? extends Map.Entry<? extends K, ? extends V>> entries) {
    Group group = new Group();
    for (Map.Entry<? extends K, ? extends V> entry : entries) {
      V value = Objects.requireNonNull(entry.getValue(), "value");
      pipeline.offer(Objects.requireNonNull(entry.getKey(), "key"), value, group);
    }
    return group.complete();
  }

  /** Takes the removal of a key, on the same terms as {@link #write}. */
  public CompletableFuture<Void> remove(K key) {
    return pipeline.offer(Objects.requireNonNull(key, "key"), null, null);
  }

  /**
   * Completes when everything that was taken before is acknowledged or has failed: with a {@link
   * WriteFailedException} if writes failed since the last flush. Cancelling it cancels no write.
   */
  public CompletableFuture<Void> flushAsync() {
    return pipeline.flushAsync();
  }

  /**
   * Waits until everything that was taken before is acknowledged.
   *
   * @throws WriteFailedException if writes failed since the last flush
   * @throws org.apache.ignite.IgniteInterruptedException if the thread was interrupted; it stays
   *     interrupted and the writes go on
   */
  public void flush() {
    pipeline.flush(Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Waits like {@link #flush()}, and at most so long.
   *
   * @throws WriteTimeoutException if time was over; the writes go on
   */
  public void flush(Duration timeout) {
    pipeline.flush(timeout);
  }

  /** What was done so far and what waits now. */
  public WriterStats stats() {
    return pipeline.stats();
  }

  /**
   * Takes no more writes, and waits until those taken are acknowledged: at most for the close
   * timeout, after which they fail. An interrupt does not shorten the wait and is kept. Does
   * nothing when called again.
   *
   * @throws WriteFailedException if writes failed since the last flush
   */
  @Override
  public void close() {
    pipeline.close();
  }
}
