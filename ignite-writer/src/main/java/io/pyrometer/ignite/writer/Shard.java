package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of some neighbouring partitions that are not settled. Each key has at most one write
 * that waits in a lane or is under way, and behind it the newest that follows. So no key is ever in
 * two calls, whichever lane sends them, and partitions change lanes at any time.
 *
 * <p>Its lock is taken before that of a lane, never after.
 */
final class Shard {
  /** Writes that share a reading of the clock, which costs as much as queueing a write. */
  private static final int SAME_INSTANT = 16;

  private final Context context;
  private final Lanes lanes;
  private final KeyTable table = new KeyTable();
  private long instant;
  private int sameInstant;

  /** No write that may still expire was accepted before. */
  private long oldest;

  private boolean closed;

  Shard(Context context, Lanes lanes) {
    this.context = context;
    this.lanes = lanes;
  }

  /**
   * Accepts a write, or merges it into one of its key that waits.
   *
   * @param reserved the share in which the caller has taken room for it, if so
   * @return the write that has the future; null if there is no room
   * @throws IllegalStateException if the writer is closed
   */
  synchronized @Nullable PendingWrite offer(PendingWrite write, Budget.@Nullable Share reserved) {
    if (closed) {
      throw Encoder.closed(context.codec().decodeKey(write.key));
    }
    @Nullable PendingWrite present = table.get(write);
    @Nullable PendingWrite waiting =
        present == null || (present.underWay && present.next == null)
            ? null
            : present.next != null ? present.next : present;
    return waiting == null ? accept(write, present, reserved) : merge(write, waiting, reserved);
  }

  private @Nullable PendingWrite accept(
      PendingWrite write, @Nullable PendingWrite present, Budget.@Nullable Share reserved) {
    Budget.Share share = reserved == null ? lanes.of(write.partition).share() : reserved;
    if (reserved == null && !context.budget().tryTake(share, write.bytes)) {
      return null;
    }
    write.shard = this;
    write.since = now();
    write.flushGroup = context.completions().joinFlush();
    write.share = share;
    oldest = table.isEmpty() ? write.since : Math.min(oldest, write.since);
    if (present == null) {
      table.add(write);
      enqueue(write, reserved != null); // others may wait for the room that it takes
    } else {
      present.next = write;
    }
    return write;
  }

  private @Nullable PendingWrite merge(
      PendingWrite write, PendingWrite waiting, Budget.@Nullable Share reserved) {
    long more = write.bytes + Codec.MERGED_BYTES - waiting.bytes;
    if (reserved != null) {
      context.budget().release(reserved, 1, write.bytes - more);
    } else if (!context.budget().tryGrow(more)) {
      return null;
    }
    waiting.value = write.value;
    waiting.bytes = write.bytes;
    waiting.merged++;
    return waiting;
  }

  /** Not later than now, and earlier by at most the time between two calls of {@link #expire}. */
  private long now() {
    if (sameInstant == 0 || table.isEmpty()) {
      instant = System.nanoTime();
      sameInstant = SAME_INSTANT;
    }
    sameInstant--;
    return instant;
  }

  private void enqueue(PendingWrite write, boolean urgent) {
    while (!lanes.of(write.partition).add(write, urgent)) {
      // the partition has moved
    }
  }

  /** Divides writes where the shard changes. */
  static void forEach(List<PendingWrite> writes, BiConsumer<Shard, List<PendingWrite>> action) {
    int from = 0;
    for (int to = 1; to <= writes.size(); to++) {
      if (to == writes.size() || writes.get(to).shard != writes.get(from).shard) {
        action.accept(writes.get(from).shard, writes.subList(from, to));
        from = to;
      }
    }
  }

  /** Has writes that a lane has taken under way, and adds to a batch those that have not failed. */
  synchronized void take(List<PendingWrite> taken, List<PendingWrite> batch) {
    for (PendingWrite write : taken) {
      if (!write.isDecided() && !write.underWay) {
        write.underWay = true;
        batch.add(write);
      }
    }
  }

  /** The calls of writes have ended, or their doubts: the next ones of their keys may be sent. */
  synchronized void settle(List<PendingWrite> ended) {
    for (PendingWrite write : ended) {
      if (write.underWay) {
        drop(write);
      }
    }
  }

  private void drop(PendingWrite write) {
    if (table.remove(write)) {
      @Nullable PendingWrite next = write.next;
      write.next = null;
      if (next != null) {
        table.add(next);
        enqueue(next, true);
      }
    }
  }

  /** Has a write that was not applied sent again. */
  synchronized void requeue(PendingWrite write) {
    write.returned();
    if (write.isDecided()) {
      drop(write);
    } else {
      write.underWay = false;
      enqueue(write, true);
    }
  }

  /** Accepts no more writes. */
  synchronized void close() {
    closed = true;
  }

  /** Returns when what was accepted before is in its lane. */
  synchronized void await() {}

  /**
   * Fails the writes that were accepted before an instant.
   *
   * @param closing the cause; nothing if they are too late
   */
  synchronized void expire(long limit, @Nullable Throwable closing) {
    sameInstant = 0;
    if (table.isEmpty() || oldest - limit >= 0) {
      return;
    }
    String to = "cache " + context.port().name();
    @Nullable Throwable lastError = lanes.lastError();
    PendingWrite.Failure notSent =
        failure(
            closing,
            false,
            new WriteTimeoutException(
                "a write was not sent to " + to, context.settings().writeTimeout, lastError));
    PendingWrite.Failure inDoubt =
        failure(
            closing,
            true,
            new WriteTimeoutException(
                to + " did not acknowledge a write, which may have been applied or may still be,",
                context.settings().writeTimeout,
                lastError));
    PendingWrite.Failure behind =
        failure(
            closing,
            false,
            new WriteTimeoutException(
                "a write was not sent, because an earlier one of its key was in doubt,",
                context.settings().writeTimeout,
                lastError));
    List<PendingWrite> late = new ArrayList<>();
    oldest = System.nanoTime();
    for (PendingWrite write : table.all()) {
      @Nullable PendingWrite next = write.next;
      if (next != null && expire(next, limit, behind, behind, late)) {
        write.next = null;
      }
      if (expire(write, limit, inDoubt, notSent, late) && !write.underWay) {
        drop(write);
      }
    }
    context.completions().publishLater(late.toArray(PendingWrite[]::new));
  }

  private static PendingWrite.Failure failure(
      @Nullable Throwable closing, boolean inDoubt, Throwable late) {
    return new PendingWrite.Failure(closing == null ? late : closing, inDoubt, true);
  }

  private boolean expire(
      PendingWrite write,
      long limit,
      PendingWrite.Failure called,
      PendingWrite.Failure notCalled,
      List<PendingWrite> late) {
    if (write.since - limit >= 0) {
      oldest = Math.min(oldest, write.since);
      return false;
    }
    if (context.completions().fail(write, called, notCalled)) {
      late.add(write);
    }
    return true;
  }
}
