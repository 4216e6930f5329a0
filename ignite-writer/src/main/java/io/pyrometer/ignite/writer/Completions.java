package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcomes of writes and publishes them: completes futures on a worker, because
 * callers' stages may block, tells the failure listener on its own thread, and releases the room of
 * the writes. The room of a failed write is released when the listener has returned, so that
 * failures that wait for a slow listener are bounded as well.
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
  private final AtomicLong untold = new AtomicLong(1);
  private final CompletableFuture<Void> allTold = new CompletableFuture<>();

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

  void acknowledge(Collection<PendingWrite> writes) {
    settle(writes, null);
  }

  void fail(Collection<PendingWrite> writes, PendingWrite.Failure failure) {
    settle(writes, failure);
  }

  /** Decides on this thread and publishes on a worker. */
  private void settle(Collection<PendingWrite> writes, PendingWrite.@Nullable Failure failure) {
    if (writes.isEmpty()) {
      return;
    }
    PendingWrite[] all = writes.toArray(PendingWrite[]::new);
    unpublished.add(all); // before the first is decided: see publishAll
    for (PendingWrite write : all) {
      decide(write, failure);
    }
    workers.execute(
        () -> {
          publish(all);
          unpublished.remove(all);
        });
  }

  private void decide(PendingWrite newest, PendingWrite.@Nullable Failure failure) {
    for (@Nullable PendingWrite write = newest; write != null; write = write.superseded()) {
      if (write.decide(failure)) {
        counters.finished();
        if (failure != null) {
          counters.entryFailed();
          failures.add(write.key, failure);
        }
      }
    }
  }

  /** Fails what is not decided, and publishes all that is, on this thread: the writer is closed. */
  void failNow(Collection<PendingWrite> writes, PendingWrite.Failure failure) {
    PendingWrite[] all = writes.toArray(PendingWrite[]::new);
    for (PendingWrite write : all) {
      decide(write, failure);
    }
    publish(all);
  }

  /** Publishes what others have decided and have not published yet. */
  void publishAll() {
    unpublished.forEach(this::publish);
  }

  private void publish(PendingWrite[] writes) {
    long entries = 0;
    long bytes = 0;
    @Nullable Wave wave = null;
    Budget.@Nullable Share share = null;
    for (PendingWrite newest : writes) {
      for (@Nullable PendingWrite write = newest; write != null; write = write.superseded()) {
        PendingWrite.@Nullable Failure failure = write.failure();
        if (!write.isDecided() || !complete(write, failure)) {
          continue;
        }
        if (wave != write.wave || share != write.share) {
          release(share, entries, bytes, wave, entries);
          entries = 0;
          bytes = 0;
          wave = write.wave;
          share = write.share;
        }
        if (failure == null || listener.isEmpty()) {
          entries++;
          bytes += write.pendingBytes();
        } else {
          tell(write, failure);
        }
      }
    }
    release(share, entries, bytes, wave, entries);
  }

  private boolean complete(PendingWrite write, PendingWrite.@Nullable Failure failure) {
    try {
      return write.publish(
          failure == null
              ? null
              : WriteFailedException.of(
                  codec.decodeKey(write.key), failure.cause(), failure.retriable()));
    } catch (RuntimeException | Error e) {
      LOG.log(Logger.Level.WARNING, "the future of a write could not be completed", e);
      return true;
    }
  }

  private void release(
      Budget.@Nullable Share share, long entries, long bytes, @Nullable Wave wave, long settled) {
    if (share != null && entries > 0) {
      budget.release(share, entries, bytes);
    }
    if (wave != null && settled > 0) {
      wave.settled(settled);
    }
  }

  private void tell(PendingWrite write, PendingWrite.Failure failure) {
    untold.incrementAndGet();
    release(null, 0, 0, write.wave, 1);
    workers.listen(
        () -> {
          try {
            listener.ifPresent(to -> to.accept(failedWrite(write, failure)));
          } catch (Throwable e) { // an Error too
            LOG.log(Logger.Level.WARNING, "the listener for failed writes threw an exception", e);
          } finally {
            release(write.share, 1, write.pendingBytes(), null, 0);
            told();
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

  private void told() {
    if (untold.decrementAndGet() == 0) {
      allTold.complete(null);
    }
  }

  /** Completes when the listener has been told of all failures; called once, when all settled. */
  CompletableFuture<Void> allTold() {
    told();
    return allTold;
  }
}
