package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.IgniteInterruptedException;
import org.jspecify.annotations.Nullable;

/** Leads writes to their shards, and decides when flushes and closes have ended. */
final class Pipeline {
  private static final long MAX_TICK = 250_000_000;

  /** As many as let callers pass each other. */
  private static final int SHARDS = 32;

  private final Context context;
  private final FailureLog failures;
  private final Encoder encoder;
  private final Lanes lanes;
  private final List<Shard> shards;
  private final AtomicBoolean polling = new AtomicBoolean();
  private final AtomicBoolean resolving = new AtomicBoolean();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean closed;

  /** Starts the clock. */
  <K, V> Pipeline(
      Settings settings,
      CachePort port,
      Workers workers,
      Optional<Consumer<? super FailedWrite<K, V>>> listener) {
    Codec codec = new Codec(port::toBinary);
    failures = new FailureLog(codec);
    Budget budget = new Budget(settings.maxPendingEntries, settings.maxPendingBytes);
    WriteCounters counters = new WriteCounters();
    Completions<K, V> completions =
        new Completions<>(workers, budget, counters, codec, failures, listener);
    Doubts doubts = new Doubts(settings, port, workers, codec, completions);
    context = new Context(settings, port, workers, codec, budget, completions, doubts, counters);
    encoder = new Encoder(context, () -> closed);
    lanes = new Lanes(context);
    shards = Stream.generate(() -> new Shard(context, lanes)).limit(SHARDS).toList();
    workers.every(Nanos.of(settings.topologyPoll), () -> once(polling, lanes::follow));
    long shortest =
        Math.min(
            Math.min(Nanos.of(settings.writeTimeout), Nanos.of(settings.stallTimeout)),
            Math.max(1, Nanos.of(settings.inDoubtFor)));
    workers.every(Math.min(MAX_TICK, Math.max(1_000_000, shortest / 8)), this::tick);
  }

  /** Runs a task that may block on a worker, unless it still runs. */
  private void once(AtomicBoolean running, Runnable task) {
    if (running.compareAndSet(false, true)) {
      context
          .workers()
          .execute(
              () -> {
                try {
                  task.run();
                } finally {
                  running.set(false);
                }
              });
    }
  }

  private void tick() {
    long limit = System.nanoTime() - Nanos.of(context.settings().writeTimeout);
    shards.forEach(shard -> shard.expire(limit, null));
    lanes.tick();
    if (context.doubts().any()) {
      once(resolving, context.doubts()::tick);
    }
  }

  CompletableFuture<Void> offer(Object key, @Nullable Object value, @Nullable WriteGroup group) {
    failures.noteWriter();
    Encoder.Entry entry = encoder.encode(key, value);
    @Nullable PendingWrite write = shard(entry.key()).offer(entry, group, null);
    return write != null ? write : offerWhenThereIsRoom(entry, group);
  }

  private Shard shard(EncodedKey key) {
    return shards.get((int) ((long) key.partition() * SHARDS / lanes.partitions()));
  }

  /** Accepts a write if that needs no waiting; otherwise null. */
  @Nullable CompletableFuture<Void> tryOffer(Object key, Object value) {
    failures.noteWriter();
    Encoder.@Nullable Entry entry = encoder.tryEncode(key, value);
    if (entry == null) {
      return null;
    }
    @Nullable PendingWrite write = shard(entry.key()).offer(entry, null, null);
    if (write == null) {
      hurry();
    }
    return write;
  }

  private CompletableFuture<Void> offerWhenThereIsRoom(
      Encoder.Entry entry, @Nullable WriteGroup group) {
    long start = System.nanoTime();
    Budget budget = context.budget();
    Duration longest = context.settings().backPressure.longestWait();
    Budget.Share share = lanes.of(entry.key().partition()).share();
    @Nullable PendingWrite write = null;
    boolean granted = false;
    try {
      if (!longest.isZero()) {
        Workers.refuseOwnThreads("write when there is no room");
        granted = budget.await(share, entry.bytes(), start + Nanos.of(longest), this::hurry);
      }
      write = shard(entry.key()).offer(entry, group, granted ? share : null);
      if (write == null) {
        throw new WriterFullException(longest);
      }
      hurry(); // others may wait for the room that this takes
      return write;
    } catch (InterruptedException e) {
      throw interrupted("a write was interrupted before it was accepted");
    } finally {
      if (granted && write == null) {
        budget.release(share, 1, entry.bytes());
      }
      context.counters().blocked.record(System.nanoTime() - start);
    }
  }

  /** Sends what was accepted without waiting for more. */
  private void hurry() {
    context.completions().hurry();
    lanes.hurry();
  }

  private static IgniteInterruptedException interrupted(String message) {
    Thread.currentThread().interrupt();
    return new IgniteInterruptedException(message);
  }

  private CompletableFuture<Void> settled() {
    CompletableFuture<Void> settled = context.completions().settled();
    hurry();
    return settled;
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  CompletableFuture<Void> flushAsync() {
    FailureLog.Reader reader = failures.reader();
    GuardedFuture<Void> flushed = new GuardedFuture<>();
    settled().thenRun(() -> flushed.complete(null));
    return flushed.thenRun(() -> failures.report(reader));
  }

  void flush(Duration timeout) {
    Workers.refuseOwnThreads("wait for a flush");
    CompletableFuture<Void> flushed = flushAsync();
    try {
      flushed.get(Nanos.of(timeout), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      flushed.cancel(false);
      throw interrupted("a flush was interrupted; the writes continue");
    } catch (TimeoutException e) {
      flushed.cancel(false);
      throw new WriteTimeoutException("not all writes were acknowledged", timeout, null);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof WriteFailedException failed
          ? failed
          : new IllegalStateException("a flush failed", e.getCause());
    }
  }

  /** Accepts no more writes, waits for those accepted, and fails those left after the timeout. */
  void close(Duration timeout) {
    Workers.refuseOwnThreads("close the writer");
    long deadline = Nanos.deadline(Nanos.of(timeout));
    if (!sealForEver()) {
      if (await(ended, deadline)) {
        Thread.currentThread().interrupt();
      }
      return;
    }
    try {
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

  private synchronized boolean sealForEver() {
    if (closed) {
      return false;
    }
    closed = true;
    shards.forEach(Shard::close);
    context.budget().close();
    return true;
  }

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

  Set<Object> keysInDoubt() {
    return context.doubts().keys().stream()
        .map(context.codec()::decodeKey)
        .collect(Collectors.toSet());
  }

  void release(Collection<?> keys) {
    for (Object key : keys) {
      EncodedKey encoded = encoder.encodeKey(key);
      shard(encoded).write(encoded).ifPresent(context.doubts()::release);
    }
  }

  void releaseAll() {
    context.doubts().releaseAll();
  }

  WriterStats stats() {
    return context.counters().read(context.budget(), context.doubts());
  }

  Context context() {
    return context;
  }
}
