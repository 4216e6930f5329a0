package io.pyrometer.ignite.writer;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A write: its encoded key and value, and the future of all writes that were merged into it. Only
 * the writer completes it, in two steps: its outcome is decided once, by whichever thread is first,
 * and then published to its callers.
 *
 * <p>Fields that are not final are guarded by the lock of its shard while it waits, and belong to
 * the thread that sends it while it is under way.
 */
final class PendingWrite extends CompletableFuture<Void> {
  /** Why a write failed. */
  static final class Failure {
    final Throwable cause;
    final boolean inDoubt;
    final boolean retriable;

    Failure(Throwable cause, boolean inDoubt, boolean retriable) {
      this.cause = cause;
      this.inDoubt = inDoubt;
      this.retriable = retriable;
    }
  }

  private static final Object ACKNOWLEDGED = new Object();
  private static final Object CALLED = new Object();
  private static final AtomicReferenceFieldUpdater<PendingWrite, @Nullable Object> OUTCOME =
      AtomicReferenceFieldUpdater.newUpdater(PendingWrite.class, Object.class, "outcome");

  final Key key;
  @Nullable Object value; // nothing for a removal
  long bytes; // of the entry, without those of the writes merged into it
  int merged; // writes that were merged into it
  long since; // System.nanoTime() when it was accepted, or up to a tick earlier
  boolean underWay; // taken from the queue, so that no later write can be merged into it
  @Nullable PendingWrite next; // the newest write of the key behind this one
  int divisions; // how often its call is halved, because it was in doubt or its key was locked
  Shard shard; // where it was accepted
  WriteGroup flushGroup; // who flushes it
  Budget.Share share; // where it has room

  // nothing, CALLED while a call is outstanding or in doubt, ACKNOWLEDGED, or a failure
  private volatile @Nullable Object outcome;

  @SuppressWarnings("NullAway.Init") // until it is accepted
  PendingWrite(Key key, @Nullable Object value, long bytes) {
    this.key = key;
    this.value = value;
    this.bytes = bytes;
  }

  /** Divides writes where two neighbours are not alike. */
  static void forEachRun(
      List<PendingWrite> writes,
      BiPredicate<PendingWrite, PendingWrite> alike,
      Consumer<List<PendingWrite>> action) {
    int from = 0;
    for (int to = 1; to <= writes.size(); to++) {
      if (to == writes.size() || !alike.test(writes.get(to - 1), writes.get(to))) {
        action.accept(writes.subList(from, to));
        from = to;
      }
    }
  }

  boolean isRemoval() {
    return value == null;
  }

  long pendingBytes() {
    return bytes + merged * Codec.MERGED_BYTES;
  }

  /** Notes that a call sends it now; false if its outcome is decided. */
  boolean call() {
    return OUTCOME.compareAndSet(this, null, CALLED);
  }

  /** Notes that the call has ended and did not apply it. */
  void returned() {
    OUTCOME.compareAndSet(this, CALLED, null);
  }

  boolean isDecided() {
    return outcome != null && outcome != CALLED;
  }

  /** Decides that it is acknowledged; false if its outcome was decided before. */
  boolean acknowledge() {
    return decide(CALLED, ACKNOWLEDGED) || decide(null, ACKNOWLEDGED);
  }

  /** Decides that it has failed, in one way if it is called and in another if it is not. */
  boolean fail(Failure called, Failure notCalled) {
    return decide(null, notCalled) || decide(CALLED, called) || decide(null, notCalled);
  }

  private boolean decide(@Nullable Object seen, Object decision) {
    return OUTCOME.compareAndSet(this, seen, decision);
  }

  @Nullable Failure failure() {
    Object decided = outcome;
    return decided instanceof Failure ? (Failure) decided : null;
  }

  /** The failure of a write that has failed. */
  Failure requireFailure() {
    return Objects.requireNonNull(failure());
  }

  /** Completes the future as it was decided, or runs stages that a complete one still has. */
  void publish(@Nullable Throwable failed) {
    if (failed == null) {
      super.complete(null);
    } else {
      super.completeExceptionally(failed);
    }
  }

  // Several callers may share the future, so none of them may complete it.

  @Override
  public boolean complete(Void value) {
    return false;
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    return false;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return false;
  }

  @Override
  public CompletableFuture<Void> orTimeout(long timeout, TimeUnit unit) {
    return copy().orTimeout(timeout, unit);
  }

  @Override
  @SuppressWarnings("VoidUsed")
  public CompletableFuture<Void> completeOnTimeout(Void value, long timeout, TimeUnit unit) {
    return copy().completeOnTimeout(value, timeout, unit);
  }
}
