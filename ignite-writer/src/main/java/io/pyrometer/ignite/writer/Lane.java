package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends the writes of some partitions of one node, one batch at a time: when a batch is full, when
 * the first of its writes has lingered, or when a caller waits for them.
 *
 * <p>While many writes are merged, waiting saves sending: the next batch then lingers for twice as
 * long as the last call took, and may gather more than one call sends.
 *
 * <p>Writes whose call failed because of a key that is locked, or was in doubt, go on by a detour,
 * a lane of their own, so that they delay only those that were in the same call.
 */
final class Lane {
  private static final double MANY_MERGED = 0.1; // for each entry of a batch
  private static final long LONGEST_MERGING = 100_000_000;
  private static final int MERGING_BATCHES = 3;
  private static final long BATCH_BYTES = 4L << 20;

  final Object node; // the primary one of its partitions, as CachePort.primaries() names it
  final Budget.Share share;

  private final Context context;
  private final @Nullable Lane detour;
  private final Deque<PendingWrite> queue = new ArrayDeque<>();
  private int urgent; // writes at the head of the queue that do not wait for others
  private long due; // when the others have lingered
  private @Nullable Future<?> timer; // looks after them then
  private boolean retired;
  private volatile @Nullable BatchSender sending;
  private long sendingSince;
  private boolean merging; // whether many writes were merged into those that were taken last
  private long mergingUntil = System.nanoTime();

  /** Creates a lane with a detour. */
  Lane(Context context, Object node, Budget.Share share) {
    this(context, node, share, new Lane(context, node, share, null));
  }

  private Lane(Context context, Object node, Budget.Share share, @Nullable Lane detour) {
    this.context = context;
    this.node = node;
    this.share = share;
    this.detour = detour;
  }

  /** Adds a write; false if the lane is retired. */
  synchronized boolean add(PendingWrite write, boolean hurries) {
    if (retired) {
      return false;
    }
    if (detour != null && write.divisions > 0) {
      return detour.add(write, hurries);
    }
    if (queue.isEmpty()) {
      due = System.nanoTime() + context.settings.lingerNanos;
      due += Math.max(0, mergingUntil - due);
    }
    queue.add(write);
    if (hurries || context.budget.hasWaiting()) {
      urgent = queue.size();
    }
    consider();
    return true;
  }

  /** Takes writes, or takes no more: its node is the primary one of no partition any more. */
  synchronized void retire(boolean retire) {
    retired = retire;
  }

  /** Returns whether it is retired and has nothing to do. */
  synchronized boolean isRetired() {
    return retired && sending == null && (detour == null || detour.sending == null);
  }

  /** Gives back the waiting writes whose partitions have moved to other lanes. */
  synchronized List<PendingWrite> evict(Lanes lanes) {
    List<PendingWrite> moved = detour == null ? new ArrayList<>() : detour.evict(lanes);
    Predicate<PendingWrite> isMoved =
        write ->
            lanes.of(write.key.partition) != this && lanes.of(write.key.partition).detour != this;
    queue.stream().filter(isMoved).forEach(moved::add);
    queue.removeIf(isMoved);
    urgent = Math.min(urgent, queue.size());
    return moved;
  }

  /** Sends what is here without waiting for more. */
  synchronized void hurry() {
    urgent = queue.size();
    consider();
    if (detour != null) {
      detour.hurry();
    }
  }

  private void consider() {
    if (sending == null && isDue()) {
      BatchSender first = begin();
      context.workers.execute(() -> run(first));
    }
  }

  /** Returns whether a batch is due; if not, looks again when it is. */
  private boolean isDue() {
    int full = context.settings.batchEntries * (merging ? MERGING_BATCHES : 1);
    if (queue.isEmpty() || urgent > 0 || queue.size() >= full) {
      return !queue.isEmpty();
    }
    long left = due - System.nanoTime();
    if (left > 0 && timer == null) {
      timer = context.workers.after(left, this::lingered);
    }
    return left <= 0;
  }

  private synchronized void lingered() {
    timer = null;
    consider();
  }

  private BatchSender begin() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
    sendingSince = System.nanoTime();
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
    int most = Math.min(context.settings.batchEntries, queue.size());
    List<PendingWrite> batch = new ArrayList<>(most);
    long room = BATCH_BYTES;
    long merged = 0;
    while (batch.size() < most && (batch.isEmpty() || queue.element().bytes <= room)) {
      PendingWrite next = queue.remove();
      room -= next.bytes;
      merged += next.merged;
      batch.add(next);
    }
    urgent = Math.max(0, urgent - batch.size());
    boolean many = merged > 0 && merged >= batch.size() * MANY_MERGED;
    merging = many && context.settings.lingerNanos > 0;
    return batch;
  }

  /** A batch has ended: the next one, if it is due. */
  private synchronized @Nullable BatchSender following(BatchSender ended) {
    if (sending != ended) {
      return null;
    }
    sending = null;
    long now = System.nanoTime();
    mergingUntil = now + (merging ? Math.min(LONGEST_MERGING, 2 * (now - sendingSince)) : 0);
    due += Math.max(0, mergingUntil - due);
    return isDue() ? begin() : null;
  }

  /** Looks after the batch that is being sent. */
  void tick() {
    @Nullable BatchSender current = sending;
    if (current != null) {
      current.tick();
    }
    if (detour != null) {
      detour.tick();
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
