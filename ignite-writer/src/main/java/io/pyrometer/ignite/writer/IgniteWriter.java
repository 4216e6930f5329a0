package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
 * <p>Guarantees:
 *
 * <ul>
 *   <li>Of several writes of a key the last one remains. Writes that have not been sent yet are
 *       merged: only the last is sent, and all their futures complete when it is acknowledged.
 *   <li>A future completes normally when the cache has acknowledged the write. It fails with a
 *       {@link WriteFailedException} otherwise, within the write timeout.
 *   <li>Keys and values are encoded by {@code write}, on the calling thread: a value that cannot be
 *       encoded throws there, and later changes of it have no effect. Arrays of objects and objects
 *       that only Java serialization can write are kept as they are.
 *   <li>Memory is bounded: without room {@code write} waits or fails, see {@link BackPressure}.
 *   <li>When {@code close} returns, normally or not, every future is complete.
 * </ul>
 *
 * <p>What an acknowledgement means, and what may happen to a write whose outcome is unknown:
 *
 * <table>
 * <caption>by client, write synchronization and atomicity</caption>
 * <tr><th>cache</th><th>acknowledged</th><th>unknown outcome</th></tr>
 * <tr><td>FULL_SYNC</td><td>on the primary node and all backups: survives the loss of a node
 *     </td><td>see below</td></tr>
 * <tr><td>PRIMARY_SYNC</td><td>on the primary node: lost if that dies before it has passed it on
 *     </td><td>see below</td></tr>
 * <tr><td>FULL_ASYNC</td><td>sent; refused unless allowed</td><td>no order</td></tr>
 * <tr><td>ATOMIC, thick client</td><td>as above</td><td>only if a call is not answered within the
 *     write timeout; then the write fails, and later writes of its key wait until the node has left
 *     or for {@link IgniteWriterBuilder#inDoubtFor}</td></tr>
 * <tr><td>TRANSACTIONAL, thick client</td><td>committed, the entries of one call together; a call
 *     is divided if a lock is not free</td><td>the same</td></tr>
 * <tr><td>thin client</td><td>as above</td><td>if its connection breaks after the request was sent:
 *     after {@link IgniteWriterBuilder#inDoubtFor} the key is read back, and the write acknowledged
 *     or sent again</td></tr>
 * </table>
 *
 * <p>Writes are no part of a transaction of the calling thread, and survive its rollback.
 *
 * <p>A future may be the same for several writes of a key. Stages that depend on it without a name
 * ending in {@code Async} run on the writer's own threads: a write without room, a flush, a close,
 * and waiting for one of its futures throw {@link IllegalStateException} there, as they do on
 * threads of Ignite.
 */
public final class IgniteWriter<K, V> implements AutoCloseable {
  private final Pipeline pipeline;

  IgniteWriter(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  /** Begins a writer to a cache of a server node or thick client, in the cache's binary mode. */
  public static <K, V> IgniteWriterBuilder<K, V> to(IgniteCache<K, V> cache) {
    return new IgniteWriterBuilder<>(
        settings -> new ThickPort(cache, settings), IgniteWriterBuilder.NODE_LANES);
  }

  /**
   * Begins a writer to a cache of a thin client, in the cache's binary mode. The client must not
   * repeat writes by itself: its configuration needs {@code setRetryPolicy(new
   * ClientRetryReadPolicy())}. That is read from a member of Ignite's own class, which a wrapper
   * around the cache hides.
   */
  public static <K, V> IgniteWriterBuilder<K, V> to(ClientCache<K, V> cache) {
    Optional<ThinInternals> internals = ThinInternals.of(cache);
    boolean aware = internals.map(ThinInternals::isPartitionAware).orElse(false);
    return new IgniteWriterBuilder<>(
        settings -> new ThinPort(cache, internals),
        aware ? IgniteWriterBuilder.NODE_LANES : IgniteWriterBuilder.ANY_LANES);
  }

  /**
   * Accepts a write. Without room for it, waits or fails as {@link BackPressure} says. The first
   * key or value of a class waits too, at most for the stall timeout, until Ignite has registered
   * the class with the cluster.
   *
   * @return completes when the value, or a later one of the same key, is acknowledged
   * @throws WriteFailedException if the key or the value cannot be encoded; an {@link Error} that
   *     its own code throws is thrown as it is
   * @throws IllegalArgumentException if the key is an array or a collection
   * @throws IllegalStateException if the writer is closed, also while it waited; or if it would
   *     have to wait on a thread of the writer or of Ignite
   * @throws WriterFullException if there was no room in the time allowed
   * @throws WriteTimeoutException if Ignite did not register a new class in time
   * @throws org.apache.ignite.IgniteInterruptedException if the thread was interrupted while it
   *     waited; it stays interrupted and the write was not accepted
   */
  public CompletableFuture<Void> write(K key, V value) {
    Objects.requireNonNull(value, "value");
    return pipeline.offer(Objects.requireNonNull(key, "key"), value, null);
  }

  /**
   * Accepts a write if there is room for it now; never waits.
   *
   * @return the future of {@link #write}; empty if there is no room, or the class of the key or
   *     value is being registered with the cluster
   */
  public Optional<CompletableFuture<Void>> tryWrite(K key, V value) {
    Objects.requireNonNull(value, "value");
    return Optional.ofNullable(pipeline.tryOffer(Objects.requireNonNull(key, "key"), value));
  }

  /**
   * Accepts writes one after the other, on the same terms as {@link #write}. One future for all
   * costs less than one for each where somebody waits for them.
   *
   * @return completes when each of the values, or a later one of its key, is acknowledged; fails as
   *     the first of the writes that failed
   * @throws IncompleteWriteException if one could not be accepted after others were; it has their
   *     future
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  public CompletableFuture<Void> writeAll(
      Iterable<? extends Map.Entry<? extends K, ? extends V>> entries) {
    WriteGroup group = new WriteGroup();
    long taken = 0;
    try {
      for (Map.Entry<? extends K, ? extends V> entry : entries) {
        V value = Objects.requireNonNull(entry.getValue(), "value");
        pipeline.offer(Objects.requireNonNull(entry.getKey(), "key"), value, group);
        taken++;
      }
    } catch (RuntimeException | Error e) {
      CompletableFuture<Void> before = group.close();
      if (taken == 0) {
        throw e;
      }
      throw new IncompleteWriteException(taken, before, e);
    }
    return group.close();
  }

  /** Accepts the removal of a key, on the same terms as {@link #write}. */
  public CompletableFuture<Void> remove(K key) {
    return pipeline.offer(Objects.requireNonNull(key, "key"), null, null);
  }

  /**
   * Completes when every write accepted before, by any thread, is acknowledged or has failed. Fails
   * with a {@link WriteFailedException} if writes failed that no flush of the calling thread has
   * reported: since its last flush, or since its first write, or, for a thread that has not
   * written, since the writer was opened. Cancelling it cancels no write.
   */
  public CompletableFuture<Void> flushAsync() {
    return pipeline.flushAsync();
  }

  /**
   * Waits for {@link #flushAsync}.
   *
   * @throws WriteFailedException if writes failed
   * @throws org.apache.ignite.IgniteInterruptedException if the thread was interrupted; it stays
   *     interrupted and the writes continue
   */
  public void flush() {
    pipeline.flush(ChronoUnit.FOREVER.getDuration());
  }

  /**
   * Waits like {@link #flush()} for a limited time.
   *
   * @throws WriteTimeoutException if the time was over; the writes continue
   */
  public void flush(Duration timeout) {
    pipeline.flush(timeout);
  }

  /**
   * Returns the keys of calls whose outcome is unknown: their connection broke, or they were not
   * answered within the write timeout. Such a write may still be applied at any later time, over a
   * newer one; so later writes of these keys wait, see {@link IgniteWriterBuilder#inDoubtFor}.
   */
  @SuppressWarnings("unchecked")
  public Set<K> keysInDoubt() {
    return (Set<K>) pipeline.keysInDoubt();
  }

  /**
   * Lets keys be written again. For a caller that knows that the writes in doubt can have no more
   * effect, for instance because the server that had them is gone.
   */
  public void releaseKeysInDoubt(Collection<? extends K> keys) {
    pipeline.release(keys);
  }

  /** Lets all keys be written again. */
  public void releaseKeysInDoubt() {
    pipeline.releaseAll();
  }

  /** Returns what was done so far and what is pending now. */
  public WriterStats stats() {
    return pipeline.stats();
  }

  /**
   * Accepts no more writes, and waits until those accepted are acknowledged and the failure
   * listener has been told of the others: at most for the close timeout, after which writes that
   * are left fail. When it returns every future is complete. An interrupt does not shorten the wait
   * and is kept. Closing again waits for the first close.
   *
   * @throws WriteFailedException if writes failed that no flush of the calling thread has reported
   */
  @Override
  public void close() {
    close(pipeline.context().settings().closeTimeout);
  }

  /** Closes like {@link #close()}, with another timeout. */
  public void close(Duration timeout) {
    pipeline.close(timeout);
  }
}
