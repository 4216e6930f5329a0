package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteInterruptedException;
import org.apache.ignite.client.ClientCache;
import org.jspecify.annotations.Nullable;

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
 *   <li>Memory is bounded: without room {@code write} waits, see {@link
 *       IgniteWriterBuilder#maxWait}.
 *   <li>When {@code close} returns, normally or not, every future is complete.
 * </ul>
 *
 * <p>What an acknowledgement means, and what may happen to a write in doubt, which was sent and has
 * no known outcome:
 *
 * <table>
 * <caption>by client, write synchronization and atomicity</caption>
 * <tr><th>mode</th><th>acknowledged</th><th>in doubt</th></tr>
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
 * <p>A future may be the same for several writes of a key, and no caller can complete or cancel it.
 * Stages that depend on it without a name ending in {@code Async} run on the writer's own threads.
 * There, and on threads of Ignite, {@code write} does not wait for room but fails, and {@code
 * flush} and {@code close} throw {@link IllegalStateException}.
 */
public final class IgniteWriter<K, V> implements AutoCloseable {
  private static final long MAX_TICK = 250_000_000;

  /** As many as let callers pass each other. */
  private static final int SHARDS = 32;

  private final Context context;
  private final FailureLog failures;
  private final Encoder encoder;
  private final Lanes lanes;
  private final List<Shard> shards;
  private final AtomicBoolean polling = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Starts the clock. */
  IgniteWriter(
      Settings settings,
      CachePort port,
      Workers workers,
      Optional<Consumer<? super FailedWrite<K, V>>> listener) {
    Codec codec = new Codec(port::toBinary);
    failures = new FailureLog(codec);
    Budget budget = new Budget(settings.maxPendingEntries, settings.maxPendingBytes);
    WriterStats.Counters counters = new WriterStats.Counters();
    Completions<K, V> completions =
        new Completions<>(workers, budget, counters, codec, failures, listener);
    Doubts doubts = new Doubts(settings, port, workers, completions);
    context = new Context(settings, port, workers, codec, budget, completions, doubts, counters);
    encoder = new Encoder(context, closing::get);
    lanes = new Lanes(context);
    shards = Stream.generate(() -> new Shard(context, lanes)).limit(SHARDS).toList();
    workers.every(Nanos.of(settings.topologyPoll), this::followTopology);
    long shortest =
        Math.min(Nanos.of(settings.writeTimeout), Math.max(1, Nanos.of(settings.inDoubtFor)));
    workers.every(Math.min(MAX_TICK, Math.max(1_000_000, shortest / 8)), this::tick);
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

  private void followTopology() {
    if (polling.compareAndSet(false, true)) {
      context
          .workers()
          .execute(
              () -> {
                try {
                  lanes.follow();
                } finally {
                  polling.set(false);
                }
              });
    }
  }

  private void tick() {
    long limit = System.nanoTime() - Nanos.of(context.settings().writeTimeout);
    shards.forEach(shard -> shard.expire(limit, null));
    lanes.tick();
    context.doubts().tick();
  }

  /**
   * Accepts a write. Waits if there is no room for it, and with the first key or value of a class
   * until Ignite has registered the class with the cluster: at most for {@link
   * IgniteWriterBuilder#maxWait}.
   *
   * @return completes when the value, or a later one of the same key, is acknowledged
   * @throws WriteFailedException if the key or the value cannot be encoded; an {@link Error} that
   *     its own code throws is thrown as it is
   * @throws IllegalArgumentException if the key is an array or a collection
   * @throws IllegalStateException if the writer is closed, also while it waited
   * @throws WriteTimeoutException if there was no room in the time allowed, or Ignite did not
   *     register a new class
   * @throws IgniteInterruptedException if the thread was interrupted while it waited; it stays
   *     interrupted and the write was not accepted
   */
  public CompletableFuture<Void> write(K key, V value) {
    return offer(key, Objects.requireNonNull(value, "value"));
  }

  /**
   * Accepts writes one after the other, on the same terms as {@link #write}. If one is refused,
   * those before it stay accepted: a flush waits for them and reports their failures.
   *
   * @return completes when each of the values, or a later one of its key, is acknowledged; fails as
   *     the first of the writes that failed
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  public CompletableFuture<Void> writeAll(
      Iterable<? extends Map.Entry<? extends K, ? extends V>> entries) {
    WriteGroup group = new WriteGroup();
    for (Map.Entry<? extends K, ? extends V> entry : entries) {
      CompletableFuture<Void> write = write(entry.getKey(), entry.getValue());
      group.add();
      write.whenComplete((done, failed) -> group.end(1, failed));
    }
    return group.close();
  }

  /** Accepts the removal of a key, on the same terms as {@link #write}. */
  public CompletableFuture<Void> remove(K key) {
    return offer(key, null);
  }

  private CompletableFuture<Void> offer(Object key, @Nullable Object value) {
    failures.noteWriter();
    PendingWrite write = encoder.encode(Objects.requireNonNull(key, "key"), value);
    Shard shard = shards.get((int) ((long) write.partition * SHARDS / lanes.partitions()));
    @Nullable PendingWrite accepted = shard.offer(write, null);
    return accepted != null ? accepted : offerWhenThereIsRoom(shard, write);
  }

  private CompletableFuture<Void> offerWhenThereIsRoom(Shard shard, PendingWrite write) {
    long start = System.nanoTime();
    Duration longest = Workers.mayWait() ? context.settings().maxWait : Duration.ZERO;
    Budget budget = context.budget();
    Budget.Share share = lanes.of(write.partition).share();
    @Nullable PendingWrite accepted = null;
    boolean granted = false;
    try {
      granted = budget.await(share, write.bytes, start + Nanos.of(longest), lanes::hurry);
      accepted = shard.offer(write, granted ? share : null);
    } catch (InterruptedException e) {
      throw interrupted("a write was interrupted before it was accepted");
    } finally {
      if (granted && accepted == null) {
        budget.release(share, 1, write.bytes);
      }
      context.counters().blocked.record(System.nanoTime() - start);
    }
    if (accepted == null) {
      throw new WriteTimeoutException(
          "the writer had no room for a write, which was not accepted,", longest, null);
    }
    return accepted;
  }

  private static IgniteInterruptedException interrupted(String message) {
    Thread.currentThread().interrupt();
    return new IgniteInterruptedException(message);
  }

  private CompletableFuture<Void> settled() {
    CompletableFuture<Void> settled = context.completions().settled();
    shards.forEach(Shard::await);
    lanes.hurry();
    return settled;
  }

  /**
   * Completes when every write accepted before, by any thread, is acknowledged or has failed. Fails
   * with a {@link WriteFailedException} if writes failed that no flush of the calling thread has
   * reported: since its last flush, or since its first write, or, for a thread that has not
   * written, since the writer was opened. Cancelling it cancels no write.
   */
  public CompletableFuture<Void> flushAsync() {
    FailureLog.Reader reader = failures.reader();
    return settled().thenRun(() -> failures.report(reader));
  }

  /**
   * Waits for {@link #flushAsync}.
   *
   * @throws WriteFailedException if writes failed
   * @throws IgniteInterruptedException if the thread was interrupted; it stays interrupted and the
   *     writes continue
   */
  public void flush() {
    Workers.requireMayWait("wait for a flush");
    CompletableFuture<Void> flushed = flushAsync();
    try {
      flushed.get();
    } catch (InterruptedException e) {
      flushed.cancel(false);
      throw interrupted("a flush was interrupted; the writes continue");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof WriteFailedException failed
          ? failed
          : new IllegalStateException("a flush failed", e.getCause());
    }
  }

  /** Returns what was done so far and what is pending now. */
  public WriterStats stats() {
    return context.counters().read(context.budget(), context.doubts());
  }

  /** Closes like {@link #close(Duration)}, in the time that each write has. */
  @Override
  public void close() {
    close(context.settings().writeTimeout);
  }

  /**
   * Accepts no more writes, and waits until those accepted are acknowledged and the failure
   * listener has been told of the others: at most for a time, after which writes that are left
   * fail. When it returns every future is complete. An interrupt does not shorten the wait and is
   * kept. Closing again waits for the first close.
   *
   * @throws WriteFailedException if writes failed that no flush of the calling thread has reported
   */
  public void close(Duration timeout) {
    Workers.requireMayWait("close the writer");
    long deadline = Nanos.deadline(Nanos.of(timeout));
    if (!closing.compareAndSet(false, true)) {
      if (await(ended, deadline)) {
        Thread.currentThread().interrupt();
      }
      return;
    }
    try {
      shards.forEach(Shard::close);
      context.budget().close();
      end(timeout, deadline);
    } finally {
      ended.complete(null);
    }
    failures.report(failures.reader());
  }

  private void end(Duration timeout, long deadline) {
    CompletableFuture<Void> settled = settled();
    boolean interrupted = await(settled, deadline);
    if (!settled.isDone()) {
      giveUp(timeout);
    }
    interrupted |= await(context.completions().allTold(), deadline);
    context.workers().close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits through interrupts; whether there was one. */
  private static boolean await(CompletableFuture<Void> future, long deadline) {
    boolean interrupted = false;
    while (true) {
      try {
        future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException | ExecutionException e) {
        return interrupted;
      }
    }
  }

  /** Completes every future on this thread: no other can be relied on. */
  private void giveUp(Duration timeout) {
    WriteTimeoutException cause =
        new WriteTimeoutException(
            "the writer was closed, and a write was not acknowledged", timeout, null);
    long limit = System.nanoTime() + Nanos.FOREVER;
    shards.forEach(shard -> shard.expire(limit, cause));
    context.completions().publishAll();
  }
}
