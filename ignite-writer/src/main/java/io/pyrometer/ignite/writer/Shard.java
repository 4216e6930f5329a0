package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writes of some neighbouring partitions that are not settled. Each key has at most one write
 * that waits in a lane or is under way, and behind it the newest that follows. So no key is ever in
 * two calls, whichever lane sends them, and partitions change lanes at any time.
 *
 * <p>Its lock is taken before that of a lane, never after.
 */
final class Shard {
  private final Context context;
  private final Lanes lanes;
  private final Map<Key, PendingWrite> writes = new HashMap<>();
  private long now; // as of the last expire(), for reading the clock costs as much as queueing
  private long oldest; // no write that may still expire was accepted before

  Shard(Context context, Lanes lanes) {
    this.context = context;
    this.lanes = lanes;
  }

  /**
   * Accepts a write, or merges it into one of its key that waits: the write that has the future. It
   * hurries if it waited for room, for others may wait for what it takes.
   */
  synchronized PendingWrite offer(PendingWrite write, boolean hurries) {
    if (context.closing.get()) {
      throw Encoder.closed(context.encoder.keys.decodeKey(write.key.encoded));
    }
    @Nullable PendingWrite first = writes.putIfAbsent(write.key, write);
    @Nullable PendingWrite last = first == null || first.next == null ? first : first.next;
    if (last != null && !last.underWay) {
      merge(write, last);
      return last;
    }
    if (writes.size() == 1 && first == null) {
      now = System.nanoTime();
      oldest = now;
    }
    write.since = now;
    write.shard = this;
    write.flushGroup = context.completions.joinFlush();
    if (last == null) {
      enqueue(write, hurries);
    } else {
      last.next = write;
    }
    return write;
  }

  private void merge(PendingWrite write, PendingWrite waiting) {
    Budget.Share from = waiting.share;
    long fromBytes = waiting.pendingBytes();
    waiting.value = write.value;
    waiting.bytes = write.bytes;
    waiting.share = write.share;
    waiting.merged++;
    context.budget.merge(from, fromBytes, write.share, write.bytes, waiting.pendingBytes());
  }

  private void enqueue(PendingWrite write, boolean urgent) {
    while (!lanes.of(write.key.partition).add(write, urgent)) {
      // the partition has moved
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

  /** The calls of writes have ended, or their doubts: the next ones of their keys go on. */
  synchronized void settle(List<PendingWrite> ended) {
    for (PendingWrite write : ended) {
      if (write.underWay) {
        drop(write);
      }
    }
  }

  private void drop(PendingWrite write) {
    if (writes.remove(write.key, write)) {
      @Nullable PendingWrite next = write.next;
      write.next = null;
      if (next != null) {
        writes.put(next.key, next);
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

  /** Returns when what is being accepted is in its lane. */
  synchronized void await() {}

  /**
   * Fails the writes that were accepted before an instant, for they are too late or for a cause.
   */
  synchronized void expire(long limit, @Nullable Throwable closing) {
    now = System.nanoTime();
    if (writes.isEmpty() || oldest - limit >= 0) {
      return;
    }
    String cache = "cache " + context.port.name();
    PendingWrite.Failure notSent = failure(closing, false, "a write was not sent to " + cache);
    PendingWrite.Failure inDoubt =
        failure(
            closing,
            true,
            cache + " did not acknowledge a write, which may have been applied or may still be,");
    List<PendingWrite> late = new ArrayList<>();
    oldest = now;
    for (PendingWrite write : List.copyOf(writes.values())) {
      @Nullable PendingWrite next = write.next;
      if (next != null && expire(next, limit, notSent, notSent, late)) {
        write.next = null;
      }
      if (expire(write, limit, inDoubt, notSent, late) && !write.underWay) {
        drop(write);
      }
    }
    context.completions.publish(late);
  }

  private PendingWrite.Failure failure(@Nullable Throwable closing, boolean inDoubt, String what) {
    Throwable cause =
        closing != null
            ? closing
            : new WriteTimeoutException(
                what, context.settings.writeTimeoutNanos, context.lastError);
    return new PendingWrite.Failure(cause, inDoubt, true);
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
    if (write.fail(called, notCalled)) {
      late.add(write);
    }
    return true;
  }
}
