package io.pyrometer.ignite.writer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An accepted write: its encoded key and value, and the future of all writes that were merged into
 * it. Only the writer completes it, in two steps: its outcome is decided once, by whichever thread
 * is first, and then published to its callers.
 *
 * <p>Guarded by its lane's lock until it is taken into a batch.
 */
final class PendingWrite extends GuardedFuture<Void> {
  /** Why a write failed. */
  record Failure(Throwable cause, boolean inDoubt, boolean retriable) {}

  /** A refusal: neither the writer nor the lane may have more pending entries or bytes. */
  static final PendingWrite FULL = new PendingWrite(0, 0, 0, null, 0);

  /** A refusal: the lane takes no more writes, because its keys have moved to another. */
  static final PendingWrite MOVED = new PendingWrite(0, 0, 0, null, 0);

  private static final Object ACKNOWLEDGED = new Object();
  private static final VarHandle OUTCOME;

  static {
    try {
      OUTCOME = MethodHandles.lookup().findVarHandle(PendingWrite.class, "outcome", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Object key;
  final int hash;
  final int partition;
  @Nullable Object value;

  /** The bytes of the entry, without those of the writes merged into it. */
  long bytes;

  /** The bytes of the futures of merged writes. */
  long mergedBytes;

  /** When it was accepted, by {@link System#nanoTime()}. */
  long since;

  /** How often it was in doubt, and not applied. */
  int doubts;

  /** Whether it is sent by a call of its own, because its key was locked. */
  boolean alone;

  /** The next write in the same bucket of {@link PendingQueue}. */
  @Nullable PendingWrite bucketNext;

  /** The {@link BatchSender} or {@link Doubt} that is in charge of it; nothing in a queue. */
  volatile @Nullable Object holder;

  @Nullable Wave wave;
  Budget.@Nullable Share share;
  private @Nullable PendingWrite superseded;

  /** Nothing, a {@link GroupFuture}, or a list of them: most writes have none or one. */
  private @Nullable Object groups;

  @SuppressWarnings("unused") // by its handle
  private volatile @Nullable Object outcome;

  PendingWrite(Object key, int hash, int partition, @Nullable Object value, long bytes) {
    this.key = key;
    this.hash = hash;
    this.partition = partition;
    this.value = value;
    this.bytes = bytes;
  }

  boolean isAccepted() {
    return this != FULL && this != MOVED;
  }

  boolean isRemoval() {
    return value == null;
  }

  long pendingBytes() {
    return bytes + mergedBytes;
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

  /** The older write with the same outcome, if any. */
  @Nullable PendingWrite superseded() {
    return superseded;
  }

  /** Adds a group that waits for this write too. Under the lane's lock, before it is sent. */
  @SuppressWarnings("unchecked")
  void join(GroupFuture group) {
    if (groups == null) {
      groups = group;
    } else if (groups instanceof GroupFuture other) {
      if (other == group) {
        return;
      }
      groups = new ArrayList<>(List.of(other, group));
    } else {
      List<GroupFuture> several = (List<GroupFuture>) groups;
      if (several.get(several.size() - 1) == group) {
        return;
      }
      several.add(group);
    }
    group.more();
  }

  /**
   * Decides the outcome.
   *
   * @param failure nothing for an acknowledgement
   * @return false if it was decided before
   */
  boolean decide(@Nullable Failure failure) {
    return OUTCOME.compareAndSet(this, null, failure == null ? ACKNOWLEDGED : failure);
  }

  boolean isDecided() {
    return outcome != null;
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
  @SuppressWarnings("unchecked")
  boolean publish(@Nullable Throwable failed) {
    boolean first = failed == null ? super.complete(null) : super.completeExceptionally(failed);
    if (first && groups instanceof GroupFuture group) {
      group.less(failed);
    } else if (first && groups != null) {
      ((List<GroupFuture>) groups).forEach(group -> group.less(failed));
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
