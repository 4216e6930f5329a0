package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the writes of some partitions of one node, one batch at a time: when enough of them wait
 * ({@link BatchSize}), when they have lingered, or when a caller waits for them.
 */
final class Lane {
  private final Context context;
  private final Object node;
  private final Budget.Share share;
  private final BatchSize sizes;
  private final Deque<PendingWrite> queue = new ArrayDeque<>();
  private volatile @Nullable Throwable lastError;
  private boolean retired;
  private @Nullable BatchSender sending;
  private long sendingSince;

  /** The number of writes that were taken, and up to which they are taken without waiting. */
  private long taken;

  private long hurryUntil;

  /** Waiting writes that end a wait for more of them; zero if the lane does not wait. */
  private int wanted;

  private int waits;

  /**
   * Creates a lane.
   *
   * @param node the primary node of its partitions, as {@link Placement} names it
   * @param maxEntries the number of its entries that may be pending
   */
  Lane(Context context, Object node, long maxEntries) {
    Settings settings = context.settings();
    this.context = context;
    this.node = node;
    this.share = new Budget.Share(maxEntries);
    this.sizes = new BatchSize(settings.smallestBatch, settings.largestBatch, maxEntries);
  }

  Object node() {
    return node;
  }

  Budget.Share share() {
    return share;
  }

  /** The node's name, for the log. */
  String nodeName() {
    try {
      return context.port().nameOf(node);
    } catch (RuntimeException disconnected) {
      return String.valueOf(node);
    }
  }

  /** The last failure of a call, unless another has succeeded since. */
  @Nullable Throwable lastError() {
    return lastError;
  }

  void lastError(@Nullable Throwable error) {
    lastError = error;
  }

  /**
   * Adds a write, which does not wait for others if a caller may be waiting for it already.
   *
   * @return false if the lane is retired
   */
  synchronized boolean add(PendingWrite write) {
    if (retired) {
      return false;
    }
    queue.add(write);
    if (write.hurries != context.completions().hurries()) {
      hurryUntil = taken + queue.size();
    }
    consider();
    return true;
  }

  /** Takes writes from now on, with a share of so many. */
  synchronized void open(long maxEntries) {
    retired = false;
    share.resize(maxEntries);
  }

  /** Takes no more writes: its node is the primary one of no partition any more. */
  synchronized void retire() {
    retired = true;
  }

  /** Whether it is retired and has nothing to do. */
  synchronized boolean isRetired() {
    return retired && sending == null;
  }

  /** Gives back the waiting writes whose partitions have moved to other lanes. */
  synchronized List<PendingWrite> evict(Lanes lanes) {
    List<PendingWrite> moved =
        queue.stream().filter(write -> lanes.of(write.key.partition()) != this).toList();
    queue.removeIf(write -> lanes.of(write.key.partition()) != this);
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

  private boolean isDue() {
    if (queue.isEmpty()) {
      return false;
    }
    int enough = taken < hurryUntil ? 1 : wanted > 0 ? wanted : sizes.target();
    if (queue.size() < enough && wanted == 0) {
      await(Nanos.of(context.settings().linger), sizes.target(), true);
    }
    return queue.size() >= enough;
  }

  private void await(long nanos, int entries, boolean lingering) {
    wanted = entries;
    int number = ++waits;
    context.workers().after(nanos, () -> waited(number, lingering));
  }

  private synchronized void waited(int number, boolean lingering) {
    if (number == waits && sending == null) {
      if (lingering && queue.size() < sizes.target()) {
        sizes.lingered();
      }
      wanted = 0;
      hurry();
    }
  }

  private BatchSender begin() {
    sendingSince = System.nanoTime();
    wanted = 0;
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
    List<PendingWrite> batch = new ArrayList<>(Math.min(sizes.largest(), queue.size()));
    long room = context.settings().batchBytes;
    long merged = 0;
    @Nullable PendingWrite next;
    while (batch.size() < sizes.largest() && (next = queue.peek()) != null) {
      room -= next.bytes;
      if (room < 0 && !batch.isEmpty()) {
        break;
      }
      merged += next.merged;
      batch.add(queue.remove());
    }
    taken += batch.size();
    sizes.taking(batch.size(), merged);
    return batch;
  }

  /** A batch has ended: the next one, if it is due. */
  private synchronized @Nullable BatchSender following(BatchSender ended) {
    if (sending != ended) {
      return null;
    }
    sending = null;
    sizes.sent(queue.size());
    hold();
    return isDue() ? begin() : null;
  }

  /**
   * Has entries wait for later writes of their keys, where many were merged of late: for twice as
   * long as the last call took, so that they are acknowledged in three times its time.
   */
  private void hold() {
    long longest = Nanos.of(context.settings().mergeWait);
    if (longest > 0 && sizes.isMerging() && taken >= hurryUntil) {
      long call = System.nanoTime() - sendingSince;
      await(Math.min(longest, 2 * call), sizes.patience(), false);
    }
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
