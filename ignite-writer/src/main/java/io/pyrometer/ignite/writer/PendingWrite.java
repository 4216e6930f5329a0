package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
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
  record Failure(Throwable cause, boolean inDoubt, boolean retriable) {}

  private static final Object ACKNOWLEDGED = new Object();
  private static final Object CALLED = new Object();
  private static final AtomicReferenceFieldUpdater<PendingWrite, @Nullable Object> OUTCOME =
      AtomicReferenceFieldUpdater.newUpdater(PendingWrite.class, Object.class, "outcome");

  final Object key;
  final int hash;
  final int partition;

  /** Nothing for a removal. */
  @Nullable Object value;

  /** The bytes of the entry, without those of the writes merged into it. */
  long bytes;

  /** The number of writes that were merged into it. */
  int merged;

  /** When it was accepted, by {@link System#nanoTime()}, or up to a tick earlier. */
  long since;

  /** Whether it was taken from the queue, so that no later write can be merged into it. */
  boolean underWay;

  /** The newest write of the key behind this one. */
  @Nullable PendingWrite next;

  /** The next write in the same bucket of its {@link KeyTable}. */
  @Nullable PendingWrite chain;

  /** How often it was in doubt, and not applied. */
  int doubts;

  /** Whether it is sent by a call of its own, because its key was locked. */
  boolean alone;

  /** Where it was accepted, who flushes it, and where it has room. */
  Shard shard;

  WriteGroup flushGroup;
  Budget.Share share;

  /** Nothing, CALLED while a call is outstanding or in doubt, ACKNOWLEDGED, or a failure. */
  private volatile @Nullable Object outcome;

  @SuppressWarnings("NullAway.Init") // until it is accepted
  PendingWrite(Object key, int hash, int partition, @Nullable Object value, long bytes) {
    this.key = key;
    this.hash = hash;
    this.partition = partition;
    this.value = value;
    this.bytes = bytes;
  }

  /**
   * Whether both keys are the same to Ignite, which compares their class and encoded form. In Java
   * a {@code Date} equals a {@code Timestamp} of the same instant.
   */
  boolean hasKeyOf(PendingWrite other) {
    return hash == other.hash && key.getClass() == other.key.getClass() && key.equals(other.key);
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

  /** Whether a call that sends it is outstanding or in doubt. */
  boolean isCalled() {
    return outcome == CALLED;
  }

  boolean isDecided() {
    return outcome != null && outcome != CALLED;
  }

  /** Decides that it is acknowledged; false if its outcome was decided before. */
  boolean acknowledge() {
    return decide(CALLED, ACKNOWLEDGED) || decide(null, ACKNOWLEDGED);
  }

  /**
   * Decides that it has failed, in one way if it is called and in another if it is not.
   *
   * @return false if its outcome was decided before
   */
  boolean fail(Failure called, Failure notCalled) {
    return decide(null, notCalled) || decide(CALLED, called) || decide(null, notCalled);
  }

  private boolean decide(@Nullable Object seen, Object decision) {
    return OUTCOME.compareAndSet(this, seen, decision);
  }

  @Nullable Failure failure() {
    return outcome instanceof Failure failure ? failure : null;
  }

  /**
   * Completes the future as it was decided.
   *
   * @param failed the exception of a failed write
   * @return false if another thread did so before
   */
  boolean publish(@Nullable Throwable failed) {
    return failed == null ? super.complete(null) : super.completeExceptionally(failed);
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
