package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.configuration.ClientConfiguration;

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
 *   <li>A future completes normally when the cache has acknowledged the write, with the guarantees
 *       of its write synchronization: FULL_SYNC with backups survives the loss of a node,
 *       PRIMARY_SYNC may lose what a dying primary had not passed on. FULL_ASYNC is refused.
 *   <li>A future fails with a {@link WriteFailedException} when its write failed for good, within
 *       the write timeout. If its outcome is unknown the cause is a {@link WriteInDoubtException},
 *       and later writes of the key fail as well until the doubt has ended: see {@link
 *       #keysInDoubt()}. A write may be applied more than once, never out of order.
 *   <li>Memory is bounded: without room {@code write} waits or fails, see {@link BackPressure}.
 *   <li>Keys and values are marshalled when they are sent: they must not be changed before their
 *       future is complete. Keys need {@code equals} and {@code hashCode} that agree with their
 *       binary form.
 * </ul>
 *
 * <p>A future may be the same for several writes of a key. Stages that depend on it without a name
 * ending in {@code Async} run on the writer's own threads and should not wait: a write that would
 * have to, a flush, a close, and waiting for one of its futures throw {@link IllegalStateException}
 * there, as they do on threads of Ignite's own.
 */
public final class IgniteWriter<K, V> implements AutoCloseable {
  private final Pipeline<K, V> pipeline;
  private final Optional<WriterJmx> jmx;

  IgniteWriter(Pipeline<K, V> pipeline, Optional<String> jmxName) {
    this.pipeline = pipeline;
    this.jmx = jmxName.map(name -> WriterJmx.register(name, pipeline::stats));
  }

  /** Begins a writer to a cache of a server node or thick client, in the cache's binary mode. */
  public static <K, V> IgniteWriterBuilder<K, V> to(IgniteCache<K, V> cache) {
    return IgniteWriterBuilder.thick(cache);
  }

  /**
   * Begins a writer to a cache of a thin client, in the cache's binary mode. The client must not
   * repeat writes by itself: its configuration needs {@code setRetryPolicy(new
   * ClientRetryReadPolicy())}. That is looked up where Ignite keeps it, which is no public place;
   * better give it to {@link #to(ClientCache, ClientConfiguration)}.
   */
  public static <K, V> IgniteWriterBuilder<K, V> to(ClientCache<K, V> cache) {
    return IgniteWriterBuilder.thin(cache, ThinRetries.configuration(cache));
  }

  /**
   * Begins a writer to a cache of a thin client, in the cache's binary mode.
   *
   * @param configuration what the client was started with, to check that it does not repeat writes
   */
  public static <K, V> IgniteWriterBuilder<K, V> to(
      ClientCache<K, V> cache, ClientConfiguration configuration) {
    return IgniteWriterBuilder.thin(cache, Optional.of(configuration));
  }

  /**
   * Takes a write. Without room for it, waits or fails as {@link BackPressure} says. Waits too, at
   * most for the stall timeout, when it brings the first key or value of a class, until Ignite has
   * made the class known to the cluster.
   *
   * @return completes when the value, or a later one of the same key, is acknowledged
   * @throws IllegalArgumentException if the key's class has no equals and hashCode of its own
   * @throws IllegalStateException if the writer is closed, also while it waited; or if it would
   *     have to wait on a thread of the writer or of Ignite
   * @throws WriterFullException if there was no room in the time allowed
   * @throws WriteTimeoutException if Ignite did not make a new class known in time
   * @throws org.apache.ignite.IgniteInterruptedException if the thread was interrupted while it
   *     waited; it stays interrupted and the write was not taken
   */
  public CompletableFuture<Void> write(K key, V value) {
    Objects.requireNonNull(value, "value");
    return pipeline.offer(Objects.requireNonNull(key, "key"), value, null);
  }

  /**
   * Takes a write if there is room for it now; never waits.
   *
   * @return the future of {@link #write}; empty if there is no room, or the class of the key or
   *     value is just being made known to the cluster
   * @throws IllegalArgumentException if the key's class has no equals and hashCode of its own
   * @throws IllegalStateException if the writer is closed
   */
  public Optional<CompletableFuture<Void>> tryWrite(K key, V value) {
    Objects.requireNonNull(value, "value");
    return pipeline.tryOffer(Objects.requireNonNull(key, "key"), value);
  }

  /**
   * Takes writes one after the other, on the same terms as {@link #write}. One future for all costs
   * less than one for each where somebody waits for them.
   *
   * @return completes when each of the values, or a later one of its key, is acknowledged; fails as
   *     the first of the writes that failed
   * @throws IncompleteWriteException if one could not be taken after others were; it has their
   *     future
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  public CompletableFuture<Void> writeAll(
      Iterable<? extends Map.Entry<? extends K, ? extends V>> entries) {
    GroupFuture group = new GroupFuture();
    long taken = 0;
    try {
      for (Map.Entry<? extends K, ? extends V> entry : entries) {
        V value = Objects.requireNonNull(entry.getValue(), "value");
        pipeline.offer(Objects.requireNonNull(entry.getKey(), "key"), value, group);
        taken++;
      }
    } catch (RuntimeException e) {
      CompletableFuture<Void> before = group.complete();
      if (taken == 0) {
        throw e;
      }
      throw new IncompleteWriteException(taken, before, e);
    }
    return group.complete();
  }

  /** Takes the removal of a key, on the same terms as {@link #write}. */
  public CompletableFuture<Void> remove(K key) {
    return pipeline.offer(Objects.requireNonNull(key, "key"), null, null);
  }

  /**
   * Takes a write that has an effect only where its key has no value, in the order of the key's
   * other writes. It is sent alone, neither merged nor repeated, and so is as slow as Ignite's own.
   *
   * @return completes with whether the value was written; fails like the future of a write, also
   *     after faults that may pass
   */
  public CompletableFuture<Boolean> putIfAbsent(K key, V value) {
    Objects.requireNonNull(value, "value");
    return operate(key, new Operation.PutIfAbsent<>(value, new GuardedFuture<>()));
  }

  /**
   * Takes the run of an entry processor, in the order of the key's other writes. It is sent alone,
   * neither merged nor repeated by the writer. Ignite itself may run a processor more than once,
   * and the processor's class must be known to the servers. For thick caches, where {@link
   * IgniteWriterBuilder#allowInvoke} allows it.
   *
   * @return completes with what the processor answers; fails like the future of a write, also after
   *     faults that may pass, and then the processor may have run
   * @throws IllegalStateException if the builder did not allow it
   */
  public <R> CompletableFuture<R> invoke(
      K key, CacheEntryProcessor<K, V, R> processor, Object... arguments) {
    if (!pipeline.context().settings().invokeAllowed()) {
      throw new IllegalStateException(
          "invoke is neither merged nor repeated; allow it with allowInvoke()");
    }
    Objects.requireNonNull(processor, "processor");
    return operate(
        key,
        new Operation.Invoke<>(processor, Arrays.asList(arguments.clone()), new GuardedFuture<>()));
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private <R> CompletableFuture<R> operate(K key, Operation<R> operation) {
    pipeline.offer(Objects.requireNonNull(key, "key"), operation, null);
    return operation.result();
  }

  /**
   * Makes a subscriber that writes what a publisher publishes.
   *
   * @param window entries that it may have asked for and that are not acknowledged yet
   */
  public WriteSubscriber<K, V> subscriber(int window) {
    return new WriteSubscriber<>(pipeline, window);
  }

  /**
   * Completes when everything that was taken before is acknowledged or has failed: with a {@link
   * WriteFailedException} if writes failed since the last flush. Cancelling it cancels no write.
   */
  public CompletableFuture<Void> flushAsync() {
    return pipeline.flushAsync();
  }

  /**
   * Waits until everything that was taken before is acknowledged or has failed.
   *
   * @throws WriteFailedException if writes failed since the last flush
   * @throws org.apache.ignite.IgniteInterruptedException if the thread was interrupted; it stays
   *     interrupted and the writes go on
   */
  public void flush() {
    pipeline.flush(ChronoUnit.FOREVER.getDuration());
  }

  /**
   * Waits like {@link #flush()}, and at most so long.
   *
   * @throws WriteTimeoutException if time was over; the writes go on
   */
  public void flush(Duration timeout) {
    pipeline.flush(timeout);
  }

  /**
   * Names the keys of writes whose outcome is unknown: their connection broke, or the cluster did
   * not answer within the write timeout. Such a write may still be applied at any later time, and
   * would then overwrite a newer one that was acknowledged meanwhile; so writes of these keys fail.
   * A doubt ends by itself when a call is answered after all, or after {@link
   * IgniteWriterBuilder#inDoubtFor}.
   */
  public Set<Object> keysInDoubt() {
    return pipeline.keysInDoubt();
  }

  /**
   * Lets keys be written again. For a caller that knows that the writes in doubt can have no effect
   * any more, for instance because the server that had them is gone, or that does not mind.
   */
  public void releaseKeysInDoubt(Collection<? extends K> keys) {
    pipeline.release(keys);
  }

  /** Lets all keys be written again. */
  public void releaseKeysInDoubt() {
    pipeline.releaseAll();
  }

  /** Tells what was done so far and what waits now. */
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
    close(pipeline.context().settings().closeTimeout());
  }

  /** Closes like {@link #close()}, waiting at most so long. */
  public void close(Duration timeout) {
    try {
      pipeline.close(timeout);
    } finally {
      jmx.ifPresent(WriterJmx::close);
    }
  }
}
