package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteInterruptedException;
import org.apache.ignite.client.ClientCache;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries to one cache in the background, many at a time, keeping the order of the writes of
 * each key: that of one thread, or of calls that happen before one another. Safe for threads.
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
 *   <li>Keys and values are encoded or copied by {@code write}, on the calling thread: a value that
 *       cannot be encoded throws there, and later changes of it have no effect.
 *   <li>Memory is bounded: without room {@code write} waits ({@link IgniteWriterBuilder#maxWait}).
 *   <li>When {@code close} returns, normally or not, every future is complete.
 * </ul>
 *
 * <p>What an acknowledgement means is up to the cache's write synchronization: with FULL_SYNC the
 * primary node and all backups have the write, with PRIMARY_SYNC the primary node alone. FULL_ASYNC
 * is refused. A write is in doubt if it was sent and has no known outcome: after a thin client's
 * connection broke, or after the write timeout. Newer writes of its key wait until the key can be
 * read back ({@link IgniteWriterBuilder#inDoubtFor}).
 *
 * <p>The order holds for the next writer too, if this one is closed first and has then no {@link
 * WriterStats#keysInDoubt()}.
 *
 * <p>Writes are no part of a transaction of the calling thread, and survive its rollback.
 *
 * <p>A future may be the same for several writes of a key, and no caller can complete or cancel it.
 * Stages that depend on it without a name ending in {@code Async} run on the writer's own threads.
 * There, and on threads of Ignite, {@code write} does not wait for room but fails, and {@code
 * flush} and {@code close} throw {@link IllegalStateException}.
 */
public final class IgniteWriter<K, V> implements AutoCloseable {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());
  private static final long MAX_TICK = 250_000_000;
  private static final int SHARDS = 32; // as many as let callers pass each other

  private final Context context;
  private final Lanes lanes;
  private final List<Shard> shards;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  IgniteWriter(Settings settings, CachePort port, Workers workers) {
    context = new Context(settings, port, workers);
    lanes = new Lanes(context);
    shards =
        Stream.generate(() -> new Shard(context, lanes)).limit(SHARDS).collect(Collectors.toList());
    followTopology();
    long shortest = Math.min(settings.writeTimeoutNanos, Math.max(1, settings.inDoubtNanos));
    workers.every(Math.min(MAX_TICK, Math.max(1_000_000, shortest / 8)), this::tick);
  }

  /** Begins a writer to a cache of a server node or thick client, in the cache's binary mode. */
  public static <K, V> IgniteWriterBuilder<K, V> to(IgniteCache<K, V> cache) {
    return new IgniteWriterBuilder<>(settings -> new ThickPort(cache, settings));
  }

  /**
   * Begins a writer to a cache of a thin client, in the cache's binary mode. The client must not
   * repeat writes by itself: its configuration needs {@code setRetryPolicy(new
   * ClientRetryReadPolicy())}. That is read from a member of Ignite's own class, so a wrapper
   * around the cache is refused.
   */
  public static <K, V> IgniteWriterBuilder<K, V> to(ClientCache<K, V> cache) {
    return new IgniteWriterBuilder<>(settings -> new ThinPort(cache, settings));
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private void followTopology() {
    Runnable following =
        () -> {
          lanes.follow();
          followTopology();
        };
    context.workers.after(
        context.settings.topologyPollNanos, () -> context.workers.execute(following));
  }

  private void tick() {
    long limit = System.nanoTime() - context.settings.writeTimeoutNanos;
    shards.forEach(shard -> shard.expire(limit, null));
    lanes.tick();
    context.doubts.tick();
    context.completions.tick(false);
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

  /** Accepts the removal of a key, on the same terms as {@link #write}. */
  public CompletableFuture<Void> remove(K key) {
    return offer(key, null);
  }

  private CompletableFuture<Void> offer(Object key, @Nullable Object value) {
    PendingWrite write = context.encoder.encode(Objects.requireNonNull(key, "key"), value);
    int partition = write.key.partition;
    write.share = lanes.of(partition).share;
    boolean waits = !context.budget.tryTake(write.share, write.bytes);
    if (waits) {
      awaitRoom(write);
    }
    try {
      return shards.get((int) ((long) partition * SHARDS / lanes.partitions())).offer(write, waits);
    } catch (IllegalStateException closed) {
      context.budget.release(write.share, 1, write.bytes);
      throw closed;
    }
  }

  private void awaitRoom(PendingWrite write) {
    long longest = Workers.mayWait() ? context.settings.maxWaitNanos : 0;
    long deadline = System.nanoTime() + longest;
    try {
      if (!context.budget.await(write.share, write.bytes, deadline, lanes::hurry)) {
        throw new WriteTimeoutException(
            "the writer had no room for a write, which was not accepted,", longest, null);
      }
    } catch (InterruptedException e) {
      throw Workers.interrupted("a write was interrupted before it was accepted");
    }
  }

  private CompletableFuture<Void> settled() {
    CompletableFuture<Void> settled = context.completions.settled();
    shards.forEach(Shard::await);
    lanes.hurry();
    return settled;
  }

  /**
   * Completes when every write accepted before, by any thread, is acknowledged or has failed. Fails
   * with a {@link WriteFailedException} if writes of this writer have failed since the last flush,
   * of any thread, that reported some. Cancelling it cancels no write.
   */
  public CompletableFuture<Void> flushAsync() {
    CompletableFuture<Void> settled = settled();
    Executor executor = settled.isDone() ? Runnable::run : context.workers::executeStages;
    return settled.thenRunAsync(() -> reportFailures(false), executor);
  }

  private void reportFailures(boolean keep) {
    Optional<WriteFailedException> failed = context.failures.drain(keep);
    if (failed.isPresent()) {
      throw failed.get();
    }
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
      throw Workers.interrupted("a flush was interrupted; the writes continue");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof WriteFailedException) {
        throw (WriteFailedException) e.getCause();
      }
      throw new IllegalStateException("a flush failed", e.getCause());
    }
  }

  /** Returns what was done so far and what is pending now. */
  public WriterStats stats() {
    return new WriterStats(context.counters, context.budget, context.doubts);
  }

  /** Closes like {@link #close(Duration)}, in the time that each write has. */
  @Override
  public void close() {
    closeWithin(context.settings.writeTimeoutNanos);
  }

  /**
   * Accepts no more writes, and waits until those accepted are acknowledged, no key is in doubt and
   * the failure listener has been told of the others: at most for a time, after which writes that
   * are left fail. When it returns every future is complete. An interrupt does not shorten the wait
   * and is kept. Closing again waits for the first close. Failures that no flush has reported are
   * logged: call {@link #flush} first where nobody looks at the futures.
   *
   * @throws WriteFailedException if the time was over, for all failures that no flush has reported
   */
  public void close(Duration timeout) {
    closeWithin(Settings.nanos(timeout));
  }

  private void closeWithin(long nanos) {
    Workers.requireMayWait("close the writer");
    long deadline = System.nanoTime() + nanos;
    if (context.closing.getAndSet(true)) {
      await(ended, deadline);
      return;
    }
    boolean gaveUp = false;
    try {
      shards.forEach(Shard::await); // no write is accepted after that
      context.budget.close();
      CompletableFuture<Void> settled = settled();
      await(settled, deadline);
      if (!settled.isDone()) {
        giveUp(nanos, settled);
        gaveUp = true;
      }
      lanes.tick(); // a call that was given up puts its keys in doubt
      await(context.doubts.resolved(), deadline);
      gaveUp |= context.doubts.keys() > 0;
      await(context.completions.allTold(), deadline);
      context.workers.close();
    } finally {
      ended.complete(null);
    }
    if (gaveUp) {
      reportFailures(true); // a flush that waits reports them, too
    } else {
      String log = "cache " + context.port.name() + ", failures that no flush has reported: ";
      context.failures.drain(true).ifPresent(e -> LOG.log(Level.WARNING, log + e.getMessage()));
    }
  }

  /** Waits through interrupts, which are kept. */
  private void await(CompletableFuture<Void> future, long deadline) {
    CompletableFuture<Void> late = new CompletableFuture<>();
    Future<?> timer =
        context.workers.after(deadline - System.nanoTime(), () -> late.complete(null));
    CompletableFuture.anyOf(future, late).join();
    timer.cancel(false);
  }

  /** Fails what is left, and has its futures completed, whatever their stages do. */
  private void giveUp(long nanos, CompletableFuture<Void> settled) {
    WriteTimeoutException cause =
        new WriteTimeoutException(
            "the writer was closed, and a write was not acknowledged", nanos, null);
    long limit = System.nanoTime() + Settings.FOREVER;
    shards.forEach(shard -> shard.expire(limit, cause));
    context.completions.tick(true);
    await(settled, limit); // the clock has other threads help where that one is blocked
  }
}
