package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of some neighbouring partitions that are not settled. Each key has at most one write
 * that waits in a lane or is under way, and behind one under way the newest that follows it. So no
 * key is ever in two calls, whichever lane sends them, and partitions change lanes at any time.
 *
 * <p>Its lock is taken before that of a lane, never after.
 */
final class Shard {
  /** Writes that share a reading of the clock, which costs as much as queueing a write. */
  private static final int SAME_INSTANT = 16;

  private final Context context;
  private final Lanes lanes;
  private final Map<EncodedKey, PendingWrite> writes = new HashMap<>();
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
   * Accepts a write.
   *
   * @param reserved the share in which the caller has taken room for it, if so
   * @return null if there is no room
   * @throws IllegalStateException if the writer is closed
   */
  synchronized @Nullable PendingWrite offer(
      Encoder.Entry entry, @Nullable WriteGroup group, Budget.@Nullable Share reserved) {
    if (closed) {
      throw Encoder.closed(context.codec().decodeKey(entry.key().object()));
    }
    @Nullable PendingWrite present = writes.get(entry.key());
    @Nullable PendingWrite write = present != null && present.underWay ? present.next : present;
    if (write != null) {
      if (!merge(write, entry, reserved)) {
        return null;
      }
    } else {
      int hurries = context.completions().hurries(); // before it takes room that others wait for
      Budget.Share share = reserved == null ? lanes.of(entry.key().partition()).share() : reserved;
      if (reserved == null && !context.budget().tryTake(share, entry.bytes())) {
        return null;
      }
      write =
          new PendingWrite(this, entry, now(), hurries, context.completions().joinFlush(), share);
      oldest = writes.isEmpty() ? write.since : Math.min(oldest, write.since);
      if (present != null) {
        present.next = write;
      } else {
        enqueue(write);
      }
    }
    if (group != null) {
      write.join(group);
    }
    return write;
  }

  private boolean merge(PendingWrite write, Encoder.Entry entry, Budget.@Nullable Share reserved) {
    long more = entry.bytes() + Codec.MERGED_BYTES - write.bytes;
    if (reserved != null) {
      context.budget().adjust(more);
      context.budget().release(reserved, 1, entry.bytes());
    } else if (!context.budget().tryGrow(more)) {
      return false;
    }
    write.value = entry.value();
    write.bytes = entry.bytes();
    write.merged++;
    return true;
  }

  /** Not later than now, and earlier by at most the time between two calls of {@link #expire}. */
  private long now() {
    if (sameInstant == 0 || writes.isEmpty()) {
      instant = System.nanoTime();
      sameInstant = SAME_INSTANT;
    }
    sameInstant--;
    return instant;
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
    ended.forEach(this::settle);
  }

  private void settle(PendingWrite write) {
    if (write.underWay && writes.remove(write.key, write)) {
      @Nullable PendingWrite next = write.next;
      write.next = null;
      if (next != null) {
        enqueue(next);
      }
    }
  }

  /** Has a write that was not applied sent again, or a newer one in its place. */
  synchronized void requeue(PendingWrite write) {
    write.returned();
    write.hurries--; // without waiting for others
    @Nullable PendingWrite next = write.next;
    if (write.isDecided()) {
      settle(write);
    } else if (next != null) {
      next.supersede(write);
      next.hurries--;
      oldest = Math.min(oldest, next.since);
      settle(write);
    } else {
      write.underWay = false;
      enqueue(write);
    }
  }

  private void enqueue(PendingWrite write) {
    writes.put(write.key, write);
    while (!lanes.of(write.key.partition()).add(write)) {
      // the partition has moved
    }
  }

  /** Accepts no more writes. */
  synchronized void close() {
    closed = true;
  }

  /** The write of a key that waits or is under way. */
  synchronized Optional<PendingWrite> write(EncodedKey key) {
    return Optional.ofNullable(writes.get(key));
  }

  /**
   * Fails the writes that were accepted before an instant.
   *
   * @param closing the cause; nothing if they are too late
   */
  synchronized void expire(long limit, @Nullable Throwable closing) {
    sameInstant = 0;
    if (writes.isEmpty() || oldest - limit >= 0) {
      return;
    }
    String to = "cache " + context.port().name();
    PendingWrite.Failure notSent =
        failure(
            closing,
            false,
            new WriteTimeoutException(
                "a write was not sent to " + to,
                context.settings().writeTimeout,
                lanes.lastError()));
    PendingWrite.Failure inDoubt =
        failure(
            closing,
            true,
            new WriteInDoubtException(
                to
                    + " did not acknowledge a write within its timeout; it may have been applied,"
                    + " or may still be",
                lanes.lastError()));
    PendingWrite.Failure behind =
        failure(
            closing,
            false,
            new WriteInDoubtException(
                "a write was not sent, because an earlier one of its key is in doubt", null));
    List<PendingWrite> late = new ArrayList<>();
    oldest = System.nanoTime();
    for (PendingWrite write : List.copyOf(writes.values())) {
      boolean expired = expire(write, limit, inDoubt, notSent, late);
      if (expired && !write.underWay) {
        writes.remove(write.key);
      }
      @Nullable PendingWrite next = write.next;
      if (next != null && expire(next, limit, behind, behind, late)) {
        write.next = null;
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
    if (write.since - limit < 0) {
      if (context.completions().fail(write, called, notCalled)) {
        late.add(write);
      }
      return true;
    }
    oldest = Math.min(oldest, write.since);
    return false;
  }
}
