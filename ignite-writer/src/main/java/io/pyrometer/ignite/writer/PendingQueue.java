package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait to be sent, in the order of their first writes: a ring, and a chained hash table
 * that finds the write of a key. Each key is in it once. Guarded by its lane's lock.
 *
 * <p>Keys are equal if they have the same class and {@code equals} agrees: Ignite compares encoded
 * keys, in which a {@code Date} differs from a {@code Timestamp} of the same instant.
 */
final class PendingQueue {
  private static final int MIN_CAPACITY = 64;

  /** Writes that share a reading of the clock, which costs as much as queueing a write. */
  private static final int SAME_INSTANT = 16;

  private @Nullable PendingWrite[] ring = new PendingWrite[MIN_CAPACITY];
  private @Nullable PendingWrite[] buckets = new PendingWrite[2 * MIN_CAPACITY];
  private long head;
  private long tail;
  private long mergedSinceTake;
  private long instant;
  private int sameInstant;

  static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 16);
  }

  /** The hash that was spread: 0x144CBC89 times 0x9E3779B9 is 1 modulo 2^32. */
  static int unspread(int spreadHash) {
    return (spreadHash ^ (spreadHash >>> 16)) * 0x144CBC89;
  }

  int size() {
    return (int) (tail - head);
  }

  /** Writes that replaced another since writes were last taken. */
  long mergedSinceTake() {
    return mergedSinceTake;
  }

  @Nullable PendingWrite find(Object key, int hash) {
    @Nullable PendingWrite next = buckets[hash & (buckets.length - 1)];
    while (next != null && !(next.hash == hash && isSame(next.key, key))) {
      next = next.bucketNext;
    }
    return next;
  }

  private static boolean isSame(Object a, Object b) {
    return a == b || (a.getClass() == b.getClass() && a.equals(b));
  }

  /** Adds a write of a key that is not in the queue. */
  void add(PendingWrite write) {
    if (write.since == 0) {
      write.since = now();
    }
    if (size() == ring.length) {
      grow();
    }
    ring[slot(tail++)] = write;
    enter(write);
  }

  /** Puts a write back, to be sent next. */
  void addFirst(PendingWrite write) {
    if (size() == ring.length) {
      grow();
    }
    ring[slot(--head)] = write;
    enter(write);
  }

  /** Replaces the value of a waiting write. */
  void replace(PendingWrite write, @Nullable Object value, long bytes, long mergedBytes) {
    write.value = value;
    write.bytes = bytes;
    write.mergedBytes += mergedBytes;
    mergedSinceTake++;
  }

  /** Not later than now, and earlier by at most the time between two calls of {@link #refresh}. */
  private long now() {
    if (sameInstant == 0 || size() == 0) {
      instant = System.nanoTime();
      instant = instant == 0 ? 1 : instant;
      sameInstant = SAME_INSTANT;
    }
    sameInstant--;
    return instant;
  }

  /** Lets the next write read the clock. */
  void refresh() {
    sameInstant = 0;
  }

  /** Takes the first writes: at most so many, and of so many bytes unless the first is larger. */
  List<PendingWrite> take(int most, long mostBytes) {
    List<PendingWrite> taken = new ArrayList<>(Math.min(most, size()));
    long bytes = 0;
    while (taken.size() < most && head < tail) {
      PendingWrite first = first();
      bytes += first.bytes;
      if (!taken.isEmpty() && bytes > mostBytes) {
        break;
      }
      taken.add(removeFirst(first));
    }
    if (!taken.isEmpty()) {
      mergedSinceTake = 0;
    }
    return taken;
  }

  /** Takes the writes that were accepted before an instant and stand at the head. */
  List<PendingWrite> takeOlderThan(long limit) {
    List<PendingWrite> taken = new ArrayList<>();
    while (head < tail && first().since - limit < 0) {
      taken.add(removeFirst(first()));
    }
    return taken;
  }

  @SuppressWarnings("NullAway") // there is a write at the head of a queue that is not empty
  private PendingWrite first() {
    return ring[slot(head)];
  }

  private PendingWrite removeFirst(PendingWrite first) {
    ring[slot(head++)] = null;
    forget(first);
    return first;
  }

  /** Lets the next write of its key stand for itself: this one has failed already. */
  void forget(PendingWrite write) {
    int bucket = write.hash & (buckets.length - 1);
    @Nullable PendingWrite before = buckets[bucket];
    if (before == write) {
      buckets[bucket] = write.bucketNext;
    } else {
      while (before != null && before.bucketNext != write) {
        before = before.bucketNext;
      }
      if (before != null) {
        before.bucketNext = write.bucketNext;
      }
    }
    write.bucketNext = null;
  }

  private int slot(long position) {
    return (int) position & (ring.length - 1);
  }

  private void enter(PendingWrite write) {
    int bucket = write.hash & (buckets.length - 1);
    write.bucketNext = buckets[bucket];
    buckets[bucket] = write;
  }

  private void grow() {
    int from = slot(head);
    int count = size();
    @Nullable PendingWrite[] larger = Arrays.copyOfRange(ring, from, from + 2 * ring.length);
    int straight = ring.length - from;
    System.arraycopy(ring, 0, larger, straight, from);
    ring = larger;
    buckets = new PendingWrite[2 * ring.length];
    head = 0;
    tail = count;
    for (int i = 0; i < count; i++) {
      PendingWrite write = larger[i];
      if (write != null) {
        enter(write);
      }
    }
  }
}
