package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An accepted write: its encoded key and value, and the future of all writes that were merged into
 * it. Only the writer completes it, in two steps: its outcome is decided once, by whichever thread
 * is first, and then published to its callers.
 *
 * <p>Fields that are not final are guarded by the lock of its shard while it waits, and belong to
 * the thread that sends it while it is under way.
 */
final class PendingWrite extends GuardedFuture<Void> {
  /** Why a write failed. */
  record Failure(Throwable cause, boolean inDoubt, boolean retriable) {}

  /** The groups that wait for a write: most have none or one. */
  private record Groups(WriteGroup first, @Nullable Groups others) {}

  private static final Object ACKNOWLEDGED = new Object();
  private static final Object CALLED = new Object();
  private static final AtomicReferenceFieldUpdater<PendingWrite, @Nullable Object> OUTCOME =
      AtomicReferenceFieldUpdater.newUpdater(PendingWrite.class, Object.class, "outcome");

  final Shard shard;
  final EncodedKey key;
  final WriteGroup flushGroup;
  final Budget.Share share;
  @Nullable Object value;

  /** The bytes of the entry, without those of the writes merged into it. */
  long bytes;

  /** The number of writes that were merged into it. */
  int merged;

  /** {@link Completions#hurries} when it was accepted. */
  int hurries;

  /** When it was accepted, by {@link System#nanoTime()}, or up to a tick earlier. */
  long since;

  /** Whether it was taken from the queue, so that no later write can be merged into it. */
  boolean underWay;

  /** The newest write of the key behind this one, while this one is under way. */
  @Nullable PendingWrite next;

  /** How often it was in doubt, and not applied. */
  int doubts;

  /** Whether it is sent by a call of its own, because its key was locked. */
  boolean alone;

  /** Whether the application ends the doubt of its key. */
  volatile boolean released;

  /** The older write with the same outcome, which is not sent any more. */
  private @Nullable PendingWrite superseded;

  private @Nullable Groups groups;

  /** Nothing, CALLED while a call is outstanding or in doubt, ACKNOWLEDGED, or a failure. */
  private volatile @Nullable Object outcome;

  PendingWrite(
      Shard shard,
      Encoder.Entry entry,
      long since,
      int hurries,
      WriteGroup flushGroup,
      Budget.Share share) {
    this.shard = shard;
    this.key = entry.key();
    this.value = entry.value();
    this.bytes = entry.bytes();
    this.since = since;
    this.hurries = hurries;
    this.flushGroup = flushGroup;
    this.share = share;
  }

  boolean isRemoval() {
    return value == null;
  }

  long pendingBytes() {
    return bytes + merged * Codec.MERGED_BYTES;
  }

  /** Takes the outcome of this write for an older one of the key, which is not sent any more. */
  void supersede(PendingWrite older) {
    PendingWrite last = older;
    while (last.superseded != null) {
      last = last.superseded;
    }
    last.superseded = superseded;
    superseded = older;
    since = Math.min(since, older.since); // both end in time
  }

  @Nullable PendingWrite superseded() {
    return superseded;
  }

  /** Adds a group that waits for this write too. Before it is sent. */
  void join(WriteGroup group) {
    if (groups == null || groups.first != group) {
      groups = new Groups(group, groups);
      group.add();
    }
  }

  /** Notes that a call sends it now; false if its outcome is decided. */
  boolean call() {
    return OUTCOME.compareAndSet(this, null, CALLED);
  }

  /** Notes that the call has ended and did not apply it; false if its outcome is decided. */
  boolean returned() {
    return OUTCOME.compareAndSet(this, CALLED, null);
  }

  /** Whether a call that sends it is outstanding or in doubt. */
  boolean isCalled() {
    return outcome == CALLED;
  }

  boolean isDecided() {
    return outcome != null && outcome != CALLED;
  }

  /**
   * Decides the outcome.
   *
   * @param failure nothing for an acknowledgement
   * @return false if it was decided before
   */
  boolean decide(@Nullable Failure failure) {
    return decide(CALLED, failure) || decide(null, failure) || decide(CALLED, failure);
  }

  /** Decides the outcome if it is called, or not called, as the caller has seen. */
  private boolean decide(@Nullable Object seen, @Nullable Failure failure) {
    return OUTCOME.compareAndSet(this, seen, failure == null ? ACKNOWLEDGED : failure);
  }

  /** Decides that the write has failed, in one way if it is called and in another if it is not. */
  boolean fail(Failure called, Failure notCalled) {
    return decide(null, notCalled) || decide(CALLED, called) || decide(null, notCalled);
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
    boolean first = failed == null ? super.complete(null) : super.completeExceptionally(failed);
    for (@Nullable Groups left = groups; first && left != null; left = left.others) {
      left.first.end(1, failed);
    }
    return first;
  }

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

  @Override
  public CompletableFuture<Void> completeAsync(
      Supplier<? extends Void> supplier, Executor executor) {
    throw onlyTheWriter();
  }

  @Override
  public void obtrudeValue(Void value) {
    throw onlyTheWriter();
  }

  @Override
  public void obtrudeException(Throwable cause) {
    throw onlyTheWriter();
  }

  private static UnsupportedOperationException onlyTheWriter() {
    return new UnsupportedOperationException(
        "only the writer completes this future; derive one with copy()");
  }
}
