package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The writes of some partitions on their way to the cache: those that wait, and at most one batch
 * in flight. A lane sends when enough writes wait ({@link BatchSize}), when they have lingered, or
 * when a caller waits for them.
 *
 * <p>A new lane may be held, gathering only, until the lanes that its partitions come from are
 * drained. A sealed lane takes no more writes, sends what it has, and then is drained.
 */
final class Lane {
  /** What a write that was accepted too long ago fails with. */
  static final String NOT_SENT = "a write was not sent to cache ";

  private final Context context;
  private final Object node;
  private final BatchSize sizes;
  private final Budget.Share share;
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final PendingQueue waiting = new PendingQueue();
  private Wave wave = new Wave();
  private @Nullable BatchSender sending;
  private boolean held = true;
  private boolean sealed;
  private PendingWrite.@Nullable Failure abandoned;
  private boolean lingering;
  private boolean holding;
  private long holds;
  private long sendingSince;

  /** Writes that are in doubt, or wait for such a write of their key. */
  private int away;

  private long taken;
  private long hurryUntil;

  /**
   * Creates a lane that is held.
   *
   * @param node the primary node of its partitions, as {@link Placement} names it
   * @param maxEntries the number of its entries that may be pending
   */
  Lane(Context context, Object node, long maxEntries) {
    Settings settings = context.settings();
    this.context = context;
    this.node = node;
    this.sizes = new BatchSize(settings.smallestBatch, settings.largestBatch, maxEntries);
    this.share = new Budget.Share(maxEntries);
  }

  Object node() {
    return node;
  }

  /** The node's name, for the log. */
  String nodeName() {
    try {
      return context.port().nameOf(node);
    } catch (RuntimeException disconnected) {
      return String.valueOf(node);
    }
  }

  Budget.Share share() {
    return share;
  }

  /**
   * Accepts a write, or returns {@link PendingWrite#FULL} or {@link PendingWrite#MOVED}.
   *
   * @param bytes the bytes of the entry
   * @param reserved whether the caller has taken room for the entry
   */
  synchronized PendingWrite offer(
      Object key,
      int hash,
      int partition,
      @Nullable Object value,
      long bytes,
      @Nullable GroupFuture group,
      boolean reserved) {
    if (sealed) {
      return PendingWrite.MOVED;
    }
    @Nullable PendingWrite write = waiting(key, hash);
    if (write != null) {
      if (!merge(write, value, bytes, reserved)) {
        return full();
      }
    } else {
      if (!reserved && !context.budget().tryTake(share, bytes)) {
        return full();
      }
      write = new PendingWrite(key, hash, partition, value, bytes);
      write.wave = wave;
      write.share = share;
      wave.add();
      waiting.add(write);
    }
    if (reserved) {
      hurryUntil = accepted(); // others may wait for the room that this takes
    }
    if (group != null) {
      write.join(group);
    }
    consider();
    return write;
  }

  /** The waiting write of a key, if it can still be merged with another. */
  private @Nullable PendingWrite waiting(Object key, int hash) {
    @Nullable PendingWrite write = waiting.find(key, hash);
    if (write != null && write.isDecided()) {
      waiting.forget(write);
      return null;
    }
    return write;
  }

  private PendingWrite full() {
    hurryUntil = accepted();
    consider();
    return PendingWrite.FULL;
  }

  private boolean merge(PendingWrite write, @Nullable Object value, long bytes, boolean reserved) {
    long more = bytes + Codec.MERGED_BYTES - write.bytes;
    if (reserved) {
      context.budget().adjust(more);
      context.budget().release(share, 1, bytes);
    } else if (!context.budget().tryGrow(more)) {
      return false;
    }
    waiting.replace(write, value, bytes, Codec.MERGED_BYTES);
    return true;
  }

  private long accepted() {
    return taken + waiting.size();
  }

  /** Sends what is here without waiting for more. */
  synchronized void hurry() {
    hurryUntil = accepted();
    consider();
  }

  /** Hurries, and hands over the writes that are not settled, if there are any. */
  synchronized @Nullable Wave closeWave() {
    hurry();
    if (wave.isEmpty()) {
      return null;
    }
    Wave closed = wave;
    wave = new Wave();
    return closed;
  }

  synchronized void release() {
    held = false;
    consider();
  }

  synchronized void seal() {
    sealed = true;
    consider();
  }

  /** Completes when the lane is sealed, no call is outstanding and no write is in doubt. */
  CompletableFuture<Void> drained() {
    return drained;
  }

  private void consider() {
    if (held || sending != null) {
      return;
    }
    if (waiting.size() == 0) {
      if (sealed && away == 0) {
        drained.complete(null);
      }
    } else if (isDue()) {
      start();
    } else if (!lingering && !holding) {
      lingering = true;
      context.workers().after(Nanos.of(context.settings().linger), this::lingered);
    }
  }

  private boolean isDue() {
    return taken < hurryUntil
        || sealed
        || waiting.size() >= (holding ? sizes.patience() : sizes.target());
  }

  private synchronized void lingered() {
    lingering = false;
    if (sending == null && !holding && waiting.size() > 0 && waiting.size() < sizes.target()) {
      sizes.lingered();
      hurry();
    }
  }

  /** Takes the next batch and has a worker send it. */
  private void start() {
    BatchSender next = take();
    sending = next;
    context.workers().execute(() -> run(next));
  }

  private BatchSender take() {
    holding = false;
    sendingSince = System.nanoTime();
    context.counters().merged(waiting.mergedSinceTake());
    sizes.taking(waiting.size(), waiting.mergedSinceTake());
    List<PendingWrite> batch = waiting.take(sizes.largest(), context.settings().batchBytes);
    taken += batch.size();
    if (context.doubts().any()) {
      batch.removeIf(this::isParked);
    }
    return new BatchSender(batch, this, context);
  }

  private boolean isParked(PendingWrite write) {
    Doubts.Parked parked = context.doubts().park(write, this);
    away += parked == Doubts.Parked.FIRST ? 1 : 0;
    return parked != Doubts.Parked.NO;
  }

  private void run(BatchSender first) {
    @Nullable BatchSender next = first;
    while (next != null && next.send()) {
      next = following(next);
    }
  }

  /** A batch has ended: the next one, if it is due. */
  private synchronized @Nullable BatchSender following(BatchSender ended) {
    if (sending != ended) {
      return null;
    }
    sending = null;
    sizes.sent(waiting.size());
    hold();
    if (!held && waiting.size() > 0 && isDue()) {
      sending = take();
    } else {
      consider();
    }
    return sending;
  }

  /**
   * Has entries wait for later writes of their keys, where many were merged of late: for twice as
   * long as the last call took, so that they are acknowledged in three times its time.
   */
  private void hold() {
    long longest = Nanos.of(context.settings().mergeWait);
    if (longest > 0 && sizes.isMerging() && taken >= hurryUntil && !sealed) {
      long call = System.nanoTime() - sendingSince;
      holding = true;
      holds++;
      long hold = holds;
      context.workers().after(Math.min(longest, 2 * call), () -> endHold(hold));
    }
  }

  private synchronized void endHold(long hold) {
    if (holding && holds == hold) {
      holding = false;
      if (sending == null && waiting.size() > 0) {
        hurry();
      }
    }
  }

  /** The outstanding call of a batch was given up: another worker goes on with the lane. */
  void giveUp(BatchSender given, List<PendingWrite> unsent) {
    List<PendingWrite> failed;
    synchronized (this) {
      if (sending != given) {
        return;
      }
      sending = null;
      failed = requeue(unsent, true);
      consider();
    }
    failAbandoned(failed);
  }

  /** Puts writes back into the queue: first, or behind the others. */
  void putBack(Collection<PendingWrite> writes, boolean first) {
    List<PendingWrite> failed;
    synchronized (this) {
      failed = requeue(writes, first);
      consider();
    }
    failAbandoned(failed);
  }

  private List<PendingWrite> requeue(Collection<PendingWrite> writes, boolean first) {
    if (abandoned != null) {
      return List.copyOf(writes);
    }
    for (PendingWrite write : writes) {
      write.holder = null;
      @Nullable PendingWrite newer = waiting(write.key, write.hash);
      if (newer != null) {
        newer.supersede(write);
      } else if (first) {
        taken--;
        waiting.addFirst(write);
      } else {
        taken--;
        waiting.add(write);
      }
    }
    hurryUntil = accepted();
    return List.of();
  }

  private void failAbandoned(List<PendingWrite> writes) {
    PendingWrite.@Nullable Failure failure = abandoned;
    if (failure != null && !writes.isEmpty()) {
      context.completions().failNow(writes, failure);
    }
  }

  /** Notes how many more writes, or fewer, are in doubt or wait for one that is. */
  synchronized void away(int more) {
    away += more;
    consider();
  }

  /**
   * Sends writes whose doubt has ended: under this lane's lock, which the caller holds, so that no
   * newer write of their keys is sent meanwhile.
   */
  void comeBack(List<PendingWrite> writes, int fewerAway) {
    away -= fewerAway;
    List<PendingWrite> failed = requeue(writes, true);
    consider();
    failAbandoned(failed);
  }

  /** Fails writes that were accepted before an instant. */
  void expire(long limit) {
    @Nullable BatchSender outstanding;
    List<PendingWrite> late;
    synchronized (this) {
      outstanding = sending;
      waiting.refresh();
      long merged = waiting.mergedSinceTake();
      late = waiting.takeOlderThan(limit);
      taken += late.size();
      if (!late.isEmpty()) {
        context.counters().merged(merged);
        consider();
      }
    }
    WriteTimeoutException cause =
        new WriteTimeoutException(
            NOT_SENT + context.port().name(), context.settings().writeTimeout);
    context.completions().fail(late, new PendingWrite.Failure(cause, false, true));
    if (outstanding != null) {
      outstanding.expire(limit);
    }
  }

  /** Fails all writes that are not settled, except those in doubt, and takes none back. */
  void abandon(PendingWrite.Failure failure) {
    List<PendingWrite> left = new ArrayList<>();
    @Nullable BatchSender outstanding;
    synchronized (this) {
      abandoned = failure;
      sealed = true;
      context.counters().merged(waiting.mergedSinceTake());
      left.addAll(waiting.take(Integer.MAX_VALUE, Long.MAX_VALUE));
      outstanding = sending;
    }
    context.completions().failNow(left, failure);
    if (outstanding != null) {
      outstanding.abandon(failure);
    }
    drained.complete(null);
  }
}
