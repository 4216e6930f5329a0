package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The way of some partitions' writes to the cache: writes that wait, and at most one batch in
 * flight. A lane sends when enough writes wait ({@link BatchSize}), when they have lingered, or
 * when it was told to hurry.
 *
 * <p>A new lane may be held, gathering only, until the lanes its partitions come from are drained.
 * A sealed lane takes no more writes, sends what it has, and then is drained.
 *
 * <p>Implementation note: a lane is free for its next batch as soon as no call is outstanding, but
 * a batch is settled only when the futures of its entries are complete. Batches may settle out of
 * order, so a flush counts those that are settled without a gap.
 */
final class Lane<K, V> {
  private enum State {
    HELD,
    IDLE,
    BUSY
  }

  /** Somebody waits until so many entries have been acknowledged or have failed. */
  private record Flush(long entries, CompletableFuture<Void> done) {}

  /** Entries that were taken together, and how they are sent. */
  private static final class Taken<K, V> {
    private final int entries;
    private @Nullable BatchSend<K, V> send;
    private boolean settled;

    Taken(int entries) {
      this.entries = entries;
    }
  }

  /** A caller that waits for a place in this lane. */
  static final class Turn {
    private final Thread thread = Thread.currentThread();
    private volatile boolean given;
    private boolean hasPlace;

    /** Waits; false when time is over. */
    boolean await(long deadlineNanos) throws InterruptedException {
      while (!given) {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      return true;
    }
  }

  private final WriterContext<K, V> context;
  private final BatchSize sizes;
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final PendingWrites<K, V> waiting = new PendingWrites<>();
  private final Deque<Turn> turns = new ArrayDeque<>();
  private final Deque<Flush> flushes = new ArrayDeque<>();
  private final Deque<Taken<K, V>> unsettled = new ArrayDeque<>();
  private @Nullable BatchSend<K, V> inFlight;
  private State state = State.HELD;
  private boolean sealed;
  private boolean abandoned;
  private boolean lingering;
  private boolean holding;
  private long holds;
  private long sendingSince;
  private int promised;
  private long taken;
  private long settled;
  private long hurryUntil;

  Lane(WriterContext<K, V> context, BatchSize sizes) {
    this.context = context;
    this.sizes = sizes;
  }

  /**
   * Takes a write, or answers {@link WriteFuture#LANE_FULL}, {@link WriteFuture#BUDGET_FULL} or
   * {@link WriteFuture#MOVED}.
   *
   * @param bytes the entry's bytes
   * @param reserved whether the caller took room for the entry in the budget
   * @param turn the caller's place in the lane, if it had to wait for one
   */
  synchronized WriteFuture offer(
      K key,
      int spreadHash,
      int partition,
      @Nullable Object value,
      long bytes,
      @Nullable GroupFuture group,
      boolean reserved,
      @Nullable Turn turn) {
    giveBack(turn);
    if (sealed) {
      return WriteFuture.MOVED;
    }
    int slot = waiting.slotOf(key, spreadHash);
    boolean mergeable = slot >= 0 && waiting.isMergeable(slot) && !(value instanceof Operation<?>);
    WriteFuture future;
    if (mergeable) {
      future = merge(slot, value, bytes, reserved);
    } else if ((turn == null && !turns.isEmpty())
        || !sizes.hasRoom(waiting.size() + promised, waiting.mergedSinceTake())) {
      future = WriteFuture.LANE_FULL;
    } else if (!reserved && !context.budget().tryTake(bytes)) {
      future = WriteFuture.BUDGET_FULL;
    } else {
      future = waiting.append(key, spreadHash, partition, value, bytes, slot);
    }
    if (!future.isAcceptance() || reserved) {
      hurryUntil = accepted(); // others may wait for the room that this takes
    }
    if (future.isAcceptance() && group != null) {
      future.tell(group);
    }
    if (turn != null) {
      giveTurns(); // the place may not have been used: the next may have room in the budget
    }
    if (state == State.IDLE) {
      consider();
    }
    return future;
  }

  private WriteFuture merge(int slot, @Nullable Object value, long bytes, boolean reserved) {
    long more =
        bytes + waiting.mergedBytes(slot) + SizeEstimate.PER_MERGED_WRITE - waiting.bytes(slot);
    if (reserved) {
      context.budget().adjust(more);
      context.budget().release(1, bytes);
    } else if (!context.budget().tryGrow(more)) {
      return WriteFuture.BUDGET_FULL;
    }
    return waiting.replace(slot, value, bytes);
  }

  /** Joins the queue of those that wait for a place in this lane. */
  synchronized Turn queue() {
    Turn turn = new Turn();
    turns.add(turn);
    hurryUntil = accepted();
    giveTurns();
    consider();
    return turn;
  }

  /** Ends a turn that its owner does not use. */
  synchronized void leave(Turn turn) {
    giveBack(turn);
    giveTurns();
  }

  private void giveBack(@Nullable Turn turn) {
    if (turn != null) {
      promised -= turn.hasPlace ? 1 : 0;
      turn.hasPlace = false;
      turns.remove(turn);
    }
  }

  private void giveTurns() {
    while (!turns.isEmpty()
        && (sealed || sizes.hasRoom(waiting.size() + promised, waiting.mergedSinceTake()))) {
      Turn next = turns.remove();
      next.hasPlace = true;
      promised++;
      next.given = true;
      LockSupport.unpark(next.thread);
    }
  }

  private long accepted() {
    return taken + waiting.size();
  }

  /** Sends what is here without waiting for more. */
  synchronized void hurry() {
    hurryUntil = accepted();
    consider();
  }

  /** Completes when all that was offered before is acknowledged or has failed; hurries. */
  synchronized CompletableFuture<Void> flushed() {
    hurry();
    if (abandoned || settled == accepted()) {
      return CompletableFuture.completedFuture(null);
    }
    Flush flush = new Flush(accepted(), new CompletableFuture<>());
    flushes.add(flush);
    return flush.done();
  }

  synchronized void release() {
    state = State.IDLE;
    consider();
  }

  synchronized void seal() {
    sealed = true;
    giveTurns();
    consider();
  }

  /** Completes when the lane is sealed and no call of it is outstanding. */
  CompletableFuture<Void> drained() {
    return drained;
  }

  private void consider() {
    if (state != State.IDLE) {
      return;
    }
    if (waiting.size() == 0) {
      if (sealed) {
        drained.complete(null);
      }
    } else if (taken < hurryUntil
        || sealed
        || waiting.size() >= (holding ? sizes.patience() : sizes.target())) {
      holding = false;
      context.senders().execute(this::send);
      state = State.BUSY;
    } else if (!lingering && !holding) {
      lingering = true;
      context.senders().after(Nanos.of(context.settings().linger()), this::lingered);
    }
  }

  private synchronized void lingered() {
    lingering = false;
    if (state == State.IDLE && !holding && waiting.size() > 0 && waiting.size() < sizes.target()) {
      sizes.lingered();
      hurry();
    }
  }

  /**
   * Has entries wait for later writes of their keys, where many were merged of late: for twice as
   * long as the last call took, so that they are acknowledged in three times its time.
   */
  private void hold() {
    long longest = Nanos.of(context.settings().mergeWait());
    if (longest > 0 && sizes.isMerging() && taken >= hurryUntil && !sealed) {
      long call = System.nanoTime() - sendingSince;
      holding = true;
      holds++;
      long hold = holds;
      context.senders().after(Math.min(longest, 2 * call), () -> release(hold));
    }
  }

  private synchronized void release(long hold) {
    if (holding && holds == hold) {
      holding = false;
      if (state == State.IDLE && waiting.size() > 0) {
        hurry();
      }
    }
  }

  private void send() {
    Taken<K, V> next;
    BatchSend<K, V> send;
    synchronized (this) {
      sendingSince = System.nanoTime();
      context.counters().merged(waiting.mergedSinceTake());
      sizes.taking(waiting.size(), waiting.mergedSinceTake());
      Batch<K, V> batch = waiting.take(sizes.largest(), context.settings().batchBytes());
      next = note(batch);
      send = new BatchSend<>(batch, context, this::sent, () -> settled(next));
      inFlight = send;
      next.send = send;
      giveTurns();
    }
    if (next.entries == 0) {
      sent();
      settled(next);
    } else {
      send.start();
    }
  }

  private Taken<K, V> note(Batch<K, V> batch) {
    Taken<K, V> next = new Taken<>(batch.size());
    taken += batch.size();
    unsettled.add(next);
    return next;
  }

  private synchronized void sent() {
    if (inFlight != null) {
      inFlight = null;
      sizes.sent(waiting.size());
      state = State.IDLE;
      hold();
      consider();
    }
  }

  private void settled(Taken<K, V> part) {
    List<Flush> reached = new ArrayList<>();
    synchronized (this) {
      part.settled = true;
      while (!unsettled.isEmpty() && unsettled.element().settled) {
        settled += unsettled.remove().entries;
      }
      while (!flushes.isEmpty() && flushes.element().entries() <= settled) {
        reached.add(flushes.remove());
      }
    }
    reached.forEach(flush -> flush.done().complete(null));
  }

  /**
   * Fails entries that have waited too long to be sent, and gives up a batch in flight that has.
   *
   * @param now {@link System#nanoTime()}
   */
  void expire(long now) {
    long limit = Nanos.of(context.settings().writeTimeout());
    @Nullable BatchSend<K, V> outstanding;
    Batch<K, V> late;
    Taken<K, V> part;
    synchronized (this) {
      outstanding = inFlight;
      waiting.refresh();
      long merged = waiting.mergedSinceTake();
      late = waiting.takeOlderThan(now - limit);
      part = note(late);
      if (late.size() > 0) {
        context.counters().merged(merged);
        giveTurns();
        consider();
      }
    }
    failUnsent(
        late,
        part,
        new WriteTimeoutException(
            "the write was not sent to cache " + context.port().name(),
            context.settings().writeTimeout()));
    if (outstanding != null) {
      outstanding.expire(now);
    }
  }

  private void failUnsent(Batch<K, V> batch, Taken<K, V> part, Throwable cause) {
    for (int slot = 0; slot < batch.size(); slot++) {
      context.fail(batch, slot, false, cause);
    }
    if (batch.size() > 0) {
      context.counters().finished(batch.size());
      context.budget().release(batch.size(), batch.bytes());
    }
    settled(part);
  }

  /**
   * Fails all that is not acknowledged, so that nobody waits for it any longer: also batches that
   * have freed the lane and whose futures another thread is about to complete.
   */
  void abandon(Throwable cause) {
    Batch<K, V> unsent;
    Taken<K, V> part;
    List<BatchSend<K, V>> sent;
    synchronized (this) {
      abandoned = true;
      context.counters().merged(waiting.mergedSinceTake());
      unsent = waiting.take(Integer.MAX_VALUE, Long.MAX_VALUE);
      part = note(unsent);
      sent = unsettled.stream().flatMap(taken -> Optional.ofNullable(taken.send).stream()).toList();
    }
    while (unsent.size() > 0) { // operations are taken one by one
      failUnsent(unsent, part, cause);
      synchronized (this) {
        unsent = waiting.take(Integer.MAX_VALUE, Long.MAX_VALUE);
        part = note(unsent);
      }
    }
    settled(part);
    sent.forEach(batch -> batch.abandon(cause));
    List<Flush> left;
    synchronized (this) {
      left = List.copyOf(flushes);
      flushes.clear();
    }
    left.forEach(flush -> flush.done().complete(null));
    drained.complete(null);
  }
}
