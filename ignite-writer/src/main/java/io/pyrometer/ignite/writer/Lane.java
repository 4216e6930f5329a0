package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the writes of some partitions of one node, one batch at a time: when a batch is full, when
 * the first of its writes has lingered, or when a caller waits for them.
 *
 * <p>While many writes are merged, waiting saves sending: the next batch then waits for twice as
 * long as the last call took, and may gather more than one call sends.
 */
final class Lane {
  private static final double WORTH_HOLDING = 0.1;

  private final Context context;
  private final Object node;
  private final Budget.Share share;
  private final Deque<PendingWrite> queue = new ArrayDeque<>();
  private volatile @Nullable Throwable lastError;
  private boolean retired;
  private @Nullable BatchSender sending;
  private long sendingSince;

  /** The number of writes that were taken, and up to which they are taken without waiting. */
  private long taken;

  private long hurryUntil;

  /** Whether many writes were merged into those that were taken last, and the wait for more. */
  private boolean merging;

  private long heldUntil;

  /** The number of waits for more writes, and whether the last one goes on. */
  private int waits;

  private boolean waiting;

  /**
   * Creates a lane.
   *
   * @param node the primary node of its partitions, as {@link Placement} names it
   */
  Lane(Context context, Object node, Budget.Share share) {
    this.context = context;
    this.node = node;
    this.share = share;
  }

  Object node() {
    return node;
  }

  Budget.Share share() {
    return share;
  }

  /** The last failure of a call, unless another has succeeded since. */
  @Nullable Throwable lastError() {
    return lastError;
  }

  void lastError(@Nullable Throwable error) {
    lastError = error;
  }

  /**
   * Adds a write.
   *
   * @param urgent whether it does not wait for others
   * @return false if the lane is retired
   */
  synchronized boolean add(PendingWrite write, boolean urgent) {
    if (retired) {
      return false;
    }
    queue.add(write);
    if (urgent || context.budget().hasWaiting()) {
      hurryUntil = taken + queue.size();
    }
    consider();
    return true;
  }

  /** Takes writes, or takes no more: its node is the primary one of no partition any more. */
  synchronized void retire(boolean retire) {
    retired = retire;
  }

  /** Whether it is retired and has nothing to do. */
  synchronized boolean isRetired() {
    return retired && sending == null;
  }

  /** Gives back the waiting writes whose partitions have moved to other lanes. */
  synchronized List<PendingWrite> evict(Lanes lanes) {
    List<PendingWrite> moved =
        queue.stream().filter(write -> lanes.of(write.partition) != this).toList();
    queue.removeIf(write -> lanes.of(write.partition) != this);
    taken += moved.size();
    return moved;
  }

  /** Sends what is here without waiting for more. */
  synchronized void hurry() {
    hurryUntil = taken + queue.size();
    consider();
  }

  /** Starts sending a batch on a worker if one is due. */
  private void consider() {
    if (sending == null && isDue()) {
      BatchSender first = begin();
      context.workers().execute(() -> run(first));
    }
  }

  /** Whether a batch is due; if not, looks again when it is. */
  private boolean isDue() {
    @Nullable PendingWrite first = queue.peek();
    if (first == null) {
      return false;
    }
    Settings settings = context.settings();
    int enough =
        merging
            ? Math.max(settings.batchEntries, share.limit() / 2 / settings.lanesPerNode)
            : settings.batchEntries;
    if (taken < hurryUntil || queue.size() >= enough) {
      return true;
    }
    if (waiting) {
      return false;
    }
    long due = merging ? heldUntil : first.since + Nanos.of(settings.linger);
    long left = due - System.nanoTime();
    if (left <= 0) {
      return true;
    }
    waiting = true;
    int number = ++waits;
    context.workers().after(left, () -> waited(number));
    return false;
  }

  private synchronized void waited(int number) {
    if (number == waits) {
      waiting = false;
      consider();
    }
  }

  private BatchSender begin() {
    sendingSince = System.nanoTime();
    waiting = false;
    waits++;
    BatchSender next = new BatchSender(this, context);
    sending = next;
    return next;
  }

  private void run(BatchSender first) {
    @Nullable BatchSender next = first;
    while (next != null && next.send(take())) {
      next = following(next);
    }
  }

  private synchronized List<PendingWrite> take() {
    Settings settings = context.settings();
    List<PendingWrite> batch = new ArrayList<>(Math.min(settings.batchEntries, queue.size()));
    long room = settings.batchBytes;
    long merged = 0;
    @Nullable PendingWrite next;
    while (batch.size() < settings.batchEntries && (next = queue.peek()) != null) {
      room -= next.bytes;
      if (room < 0 && !batch.isEmpty()) {
        break;
      }
      merged += next.merged;
      batch.add(queue.remove());
    }
    taken += batch.size();
    merging = merged > 0 && merged >= batch.size() * WORTH_HOLDING && !settings.mergeWait.isZero();
    return batch;
  }

  /** A batch has ended: the next one, if it is due. */
  private synchronized @Nullable BatchSender following(BatchSender ended) {
    if (sending != ended) {
      return null;
    }
    sending = null;
    long now = System.nanoTime();
    heldUntil = now + Math.min(Nanos.of(context.settings().mergeWait), 2 * (now - sendingSince));
    return isDue() ? begin() : null;
  }

  /** Looks after the batch that is being sent. */
  void tick() {
    @Nullable BatchSender current;
    synchronized (this) {
      current = sending;
    }
    if (current != null) {
      current.tick();
    }
  }

  /** Another worker goes on with the lane: the call of this one is not answered. */
  synchronized void giveUp(BatchSender given) {
    if (sending == given) {
      sending = null;
      consider();
    }
  }
}
