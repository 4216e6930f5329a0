package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcomes of writes and publishes them: completes futures on a worker, because
 * callers' stages may block, tells the failure listener on its own thread, and releases the room of
 * the writes. The room of a failed write is released when the listener has returned, so that
 * failures that wait for a slow listener are bounded as well. Flushes wait for the writes that were
 * accepted before them.
 */
final class Completions<K, V> {
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final Workers workers;
  private final Budget budget;
  private final WriteCounters counters;
  private final Codec codec;
  private final FailureLog failures;
  private final Optional<Consumer<? super FailedWrite<K, V>>> listener;
  private final Set<PendingWrite[]> unpublished = ConcurrentHashMap.newKeySet();
  private final WriteGroup untold = new WriteGroup();
  private volatile WriteGroup flushGroup = new WriteGroup();
  private final AtomicInteger hurries = new AtomicInteger();
  private CompletableFuture<Void> flushed = CompletableFuture.completedFuture(null);

  Completions(
      Workers workers,
      Budget budget,
      WriteCounters counters,
      Codec codec,
      FailureLog failures,
      Optional<Consumer<? super FailedWrite<K, V>>> listener) {
    this.workers = workers;
    this.budget = budget;
    this.counters = counters;
    this.codec = codec;
    this.failures = failures;
    this.listener = listener;
  }

  /** The group of the writes that the next flush waits for, which has one more now. */
  WriteGroup joinFlush() {
    WriteGroup group = flushGroup;
    while (!group.add()) {
      group = flushGroup;
    }
    return group;
  }

  /** How often callers began to wait for the writes that were accepted before. */
  int hurries() {
    return hurries.get();
  }

  /** Notes that a caller waits for the writes that were accepted before. */
  void hurry() {
    hurries.incrementAndGet();
  }

  /** Completes when every write accepted before is settled. */
  synchronized CompletableFuture<Void> settled() {
    WriteGroup before = flushGroup;
    flushGroup = new WriteGroup();
    flushed = CompletableFuture.allOf(flushed, before.close());
    return flushed;
  }

  /** Ends writes that are under way: acknowledged, or failed. Later writes of their keys go on. */
  void settle(List<PendingWrite> writes, PendingWrite.@Nullable Failure failure) {
    if (writes.isEmpty()) {
      return;
    }
    PendingWrite[] all = writes.toArray(PendingWrite[]::new);
    unpublished.add(all); // before the first is decided: see publishAll
    writes.forEach(write -> decide(write, failure));
    Shard.forEach(writes, Shard::settle);
    publishLater(all);
  }

  private void decide(@Nullable PendingWrite newest, PendingWrite.@Nullable Failure failure) {
    for (@Nullable PendingWrite write = newest; write != null; write = write.superseded()) {
      if (write.decide(failure)) {
        decided(write, failure);
      }
    }
  }

  private void decided(PendingWrite write, PendingWrite.@Nullable Failure failure) {
    counters.finished.increment();
    counters.merged.add(write.merged);
    if (failure != null) {
      counters.failed.increment();
      failures.add(write.key.object(), failure);
    }
  }

  /**
   * Decides that a write has failed, in one way if it is called and in another if it is not.
   *
   * @return false if its outcome was decided before
   */
  boolean fail(PendingWrite write, PendingWrite.Failure called, PendingWrite.Failure notCalled) {
    if (!write.fail(called, notCalled)) {
      return false;
    }
    PendingWrite.@Nullable Failure failure = write.failure();
    decided(write, failure);
    decide(write.superseded(), failure);
    return true;
  }

  /** Publishes writes that are decided, on a worker. */
  void publishLater(PendingWrite[] writes) {
    if (writes.length > 0) {
      unpublished.add(writes);
      workers.execute(
          () -> {
            publish(writes);
            unpublished.remove(writes);
          });
    }
  }

  /** Publishes on this thread what others have decided and have not published yet. */
  void publishAll() {
    unpublished.forEach(this::publish);
  }

  private void publish(PendingWrite[] writes) {
    long entries = 0;
    long bytes = 0;
    long ended = 0;
    @Nullable PendingWrite last = null;
    for (PendingWrite newest : writes) {
      for (@Nullable PendingWrite write = newest; write != null; write = write.superseded()) {
        PendingWrite.@Nullable Failure failure = write.failure();
        if (!write.isDecided() || !complete(write, failure)) {
          continue;
        }
        if (last != null && (last.flushGroup != write.flushGroup || last.share != write.share)) {
          release(last, entries, bytes, ended);
          entries = 0;
          bytes = 0;
          ended = 0;
        }
        last = write;
        ended++;
        if (failure == null || listener.isEmpty()) {
          entries++;
          bytes += write.pendingBytes();
        } else {
          tell(write, failure);
        }
      }
    }
    if (last != null) {
      release(last, entries, bytes, ended);
    }
  }

  private void release(PendingWrite of, long entries, long bytes, long ended) {
    if (entries > 0) {
      budget.release(of.share, entries, bytes);
    }
    of.flushGroup.end(ended, null);
  }

  private boolean complete(PendingWrite write, PendingWrite.@Nullable Failure failure) {
    try {
      return write.publish(
          failure == null
              ? null
              : WriteFailedException.of(
                  codec.decodeKey(write.key.object()), failure.cause(), failure.retriable()));
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.WARNING, "the future of a write could not be completed", e);
      return true;
    }
  }

  private void tell(PendingWrite write, PendingWrite.Failure failure) {
    untold.add();
    workers.listen(
        () -> {
          try {
            listener.ifPresent(to -> to.accept(failedWrite(write, failure)));
          } catch (Throwable e) { // an Error too
            LOG.log(Logger.Level.WARNING, "the listener for failed writes threw an exception", e);
          } finally {
            budget.release(write.share, 1, write.pendingBytes());
            untold.end(1, null);
          }
        });
  }

  @SuppressWarnings("unchecked")
  private FailedWrite<K, V> failedWrite(PendingWrite write, PendingWrite.Failure failure) {
    return new FailedWrite<>(
        (K) codec.decodeKey(write.key.object()),
        (Optional<V>) codec.decodeValue(write.value),
        failure.inDoubt(),
        failure.retriable(),
        failure.cause());
  }

  /** Completes when the listener has been told of all failures; called once, when all settled. */
  CompletableFuture<Void> allTold() {
    return untold.close();
  }
}
