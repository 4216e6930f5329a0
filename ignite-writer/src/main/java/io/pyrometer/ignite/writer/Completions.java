package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
  private final WriterStats.Counters counters;
  private final Codec codec;
  private final FailureLog failures;
  private final Optional<Consumer<? super FailedWrite<K, V>>> listener;
  private final Set<PendingWrite[]> unpublished = ConcurrentHashMap.newKeySet();
  private final WriteGroup untold = new WriteGroup();
  private volatile WriteGroup flushGroup = new WriteGroup();
  private CompletableFuture<Void> flushed = CompletableFuture.completedFuture(null);

  Completions(
      Workers workers,
      Budget budget,
      WriterStats.Counters counters,
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
    for (PendingWrite write : all) {
      if (failure != null) {
        fail(write, failure, failure);
      } else if (write.acknowledge()) {
        decided(write);
      }
    }
    Shard.forEach(writes, Shard::settle);
    publishLater(all);
  }

  /**
   * Decides that a write has failed, in one way if it is called and in another if it is not.
   *
   * @return false if its outcome was decided before
   */
  boolean fail(PendingWrite write, PendingWrite.Failure called, PendingWrite.Failure notCalled) {
    boolean first = write.fail(called, notCalled);
    if (first) {
      decided(write);
    }
    return first;
  }

  private void decided(PendingWrite write) {
    PendingWrite.@Nullable Failure failure = write.failure();
    counters.finished.increment();
    counters.merged.add(write.merged);
    if (failure != null) {
      counters.failed.increment();
      failures.add(write.key, failure);
    }
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
    for (PendingWrite write : writes) {
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
    if (last != null) {
      release(last, entries, bytes, ended);
    }
  }

  private void release(PendingWrite of, long entries, long bytes, long ended) {
    budget.release(of.share, entries, bytes);
    of.flushGroup.end(ended, null);
  }

  private boolean complete(PendingWrite write, PendingWrite.@Nullable Failure failure) {
    try {
      return write.publish(
          failure == null
              ? null
              : new WriteFailedException(
                  Map.of(codec.decodeKey(write.key), failure.cause()),
                  1,
                  failure.inDoubt(),
                  failure.retriable()));
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
        (K) codec.decodeKey(write.key),
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
