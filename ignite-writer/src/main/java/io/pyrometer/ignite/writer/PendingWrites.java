package io.pyrometer.ignite.writer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries that wait to be sent, in the order of their first writes: a queue in a ring of slots, and
 * an open-addressing table that finds the last slot of a key. Later writes of a key take the place
 * of the earlier one; an {@link Operation} takes no place and gives up none, so that only around
 * operations a key can have several slots. Not safe for threads: its lane's lock guards it.
 */
final class PendingWrites<K, V> {
  private static final int SMALLEST = 64;

  /** Entries that share one reading of the clock, which costs as much as queueing an entry. */
  private static final int SAME_INSTANT = 16;

  private Object[] keys = new Object[SMALLEST];
  private @Nullable Object[] values = new Object[SMALLEST];
  private WriteFuture[] futures = new WriteFuture[SMALLEST];
  private long[] bytes = new long[SMALLEST];
  private int[] hashes = new int[SMALLEST];
  private int[] partitions = new int[SMALLEST];
  private int[] merged = new int[SMALLEST];
  private long[] since = new long[SMALLEST];
  private boolean[] indexed = new boolean[SMALLEST];
  private int[] table = new int[2 * SMALLEST];
  private long head;
  private long tail;
  private long mergedSinceTake;
  private int operations;
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

  /** The last slot of a key, or -1. */
  int slotOf(Object key, int spreadHash) {
    int mask = table.length - 1;
    for (int at = spreadHash & mask; table[at] != 0; at = (at + 1) & mask) {
      int slot = table[at] - 1;
      if (hashes[slot] == spreadHash && (keys[slot] == key || keys[slot].equals(key))) {
        return slot;
      }
    }
    return -1;
  }

  /**
   * Adds an entry; no value means that the key is to be removed.
   *
   * @param earlier the last slot of the key, or -1
   */
  WriteFuture append(
      K key, int spreadHash, int partition, @Nullable Object value, long entryBytes, int earlier) {
    if (earlier >= 0) {
      leave(earlier);
    }
    if (size() == keys.length) {
      grow();
    }
    int slot = slotAt(tail++);
    since[slot] = instant();
    operations += value instanceof Operation<?> ? 1 : 0;
    keys[slot] = key;
    values[slot] = value;
    futures[slot] = new WriteFuture();
    bytes[slot] = entryBytes;
    hashes[slot] = spreadHash;
    partitions[slot] = partition;
    merged[slot] = 0;
    enter(slot);
    return futures[slot];
  }

  /** About now: not later than now, and earlier by no more than {@link #refresh} is called. */
  private long instant() {
    if (sameInstant == 0 || size() == 1) {
      instant = System.nanoTime();
      sameInstant = SAME_INSTANT;
    }
    sameInstant--;
    return instant;
  }

  /** Has the next entry read the clock: to be called often enough for the writer's time limits. */
  void refresh() {
    sameInstant = 0;
  }

  /** A later write of the key in this slot: it takes the place of the earlier one. */
  WriteFuture replace(int slot, @Nullable Object value, long entryBytes) {
    values[slot] = value;
    bytes[slot] = entryBytes;
    merged[slot]++;
    mergedSinceTake++;
    return futures[slot];
  }

  /** Whether a slot may hold the last write of its key alone. */
  boolean isMergeable(int slot) {
    return !(values[slot] instanceof Operation<?>);
  }

  /**
   * Takes the first entries out: at most so many, and of so many bytes unless the first is larger.
   * An operation is taken alone.
   */
  Batch<K, V> take(int most, long mostBytes) {
    int end = Math.min(most, size());
    int count = 0;
    long sum = 0;
    while (count < end) {
      int slot = slotAt(head + count);
      sum += bytes[slot];
      boolean isOperation = operations > 0 && values[slot] instanceof Operation<?>;
      if (count > 0 && (isOperation || sum > mostBytes)) {
        break;
      }
      count++;
      if (isOperation) {
        operations--;
        break;
      }
    }
    return takeFirst(count);
  }

  /** Takes those out that have waited since before an instant of {@link System#nanoTime()}. */
  Batch<K, V> takeOlderThan(long instant) {
    int count = 0;
    while (count < size() && since[slotAt(head + count)] - instant < 0) {
      int slot = slotAt(head + count++);
      operations -= operations > 0 && values[slot] instanceof Operation<?> ? 1 : 0;
    }
    return takeFirst(count);
  }

  private Batch<K, V> takeFirst(int count) {
    int from = slotAt(head);
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += bytes(slotAt(head + i));
    }
    Batch<K, V> batch =
        new Batch<>(
            first(keys, from, count),
            first(hashes, from, count),
            first(partitions, from, count),
            first(values, from, count),
            first(futures, from, count),
            sum,
            count == 0 ? 0 : since[from]);
    forget(count);
    head += count;
    if (count > 0) {
      mergedSinceTake = 0;
    }
    return batch;
  }

  private static <T> T[] first(T[] ring, int from, int count) {
    int straight = Math.min(count, ring.length - from);
    T[] taken = Arrays.copyOfRange(ring, from, from + count);
    System.arraycopy(ring, 0, taken, straight, count - straight);
    return taken;
  }

  private static int[] first(int[] ring, int from, int count) {
    int straight = Math.min(count, ring.length - from);
    int[] taken = new int[count];
    System.arraycopy(ring, from, taken, 0, straight);
    System.arraycopy(ring, 0, taken, straight, count - straight);
    return taken;
  }

  /** Empties the first slots: at once if hardly a slot remains, and that pays. */
  @SuppressWarnings("NullAway") // an empty slot is never read
  private void forget(int count) {
    boolean all = count == size() && table.length <= 16 * count;
    if (all) {
      Arrays.fill(table, 0);
    }
    for (int i = 0; i < count; i++) {
      int slot = slotAt(head + i);
      if (all) {
        indexed[slot] = false;
      } else {
        leave(slot);
      }
      keys[slot] = null;
      values[slot] = null;
      futures[slot] = null;
    }
  }

  private int slotAt(long position) {
    return (int) position & (keys.length - 1);
  }

  private void enter(int slot) {
    int mask = table.length - 1;
    int at = hashes[slot] & mask;
    while (table[at] != 0) {
      at = (at + 1) & mask;
    }
    table[at] = slot + 1;
    indexed[slot] = true;
  }

  /** Deletes from the table by moving later entries of the same run back (Knuth, 6.4, R). */
  private void leave(int slot) {
    if (!indexed[slot]) {
      return;
    }
    indexed[slot] = false;
    int mask = table.length - 1;
    int hole = hashes[slot] & mask;
    while (table[hole] != slot + 1) {
      hole = (hole + 1) & mask;
    }
    for (int at = (hole + 1) & mask; table[at] != 0; at = (at + 1) & mask) {
      int home = hashes[table[at] - 1] & mask;
      boolean mayMove = ((at - home) & mask) >= ((at - hole) & mask);
      if (mayMove) {
        table[hole] = table[at];
        hole = at;
      }
    }
    table[hole] = 0;
  }

  private void grow() {
    int from = slotAt(head);
    int count = keys.length;
    keys = unrolled(keys, from);
    values = unrolled(values, from);
    futures = unrolled(futures, from);
    long[] oldBytes = bytes;
    int[] oldHashes = hashes;
    int[] oldPartitions = partitions;
    int[] oldMerged = merged;
    long[] oldSince = since;
    boolean[] oldIndexed = indexed;
    bytes = new long[2 * count];
    hashes = new int[2 * count];
    partitions = new int[2 * count];
    merged = new int[2 * count];
    since = new long[2 * count];
    indexed = new boolean[2 * count];
    table = new int[4 * count];
    for (int slot = 0; slot < count; slot++) {
      bytes[slot] = oldBytes[(from + slot) & (count - 1)];
      hashes[slot] = oldHashes[(from + slot) & (count - 1)];
      partitions[slot] = oldPartitions[(from + slot) & (count - 1)];
      merged[slot] = oldMerged[(from + slot) & (count - 1)];
      since[slot] = oldSince[(from + slot) & (count - 1)];
      if (oldIndexed[(from + slot) & (count - 1)]) {
        enter(slot);
      }
    }
    tail = count;
    head = 0;
  }

  /** A ring of twice the size with its first entry in slot 0. */
  private static <T> T[] unrolled(T[] ring, int from) {
    T[] larger = Arrays.copyOf(ring, 2 * ring.length);
    System.arraycopy(ring, from, larger, 0, ring.length - from);
    System.arraycopy(ring, 0, larger, ring.length - from, from);
    return larger;
  }

  /** The bytes of the entry with those of the writes that were merged into it. */
  long bytes(int slot) {
    return bytes[slot] + mergedBytes(slot);
  }

  /** What the writes that this slot's last one replaced still take. */
  long mergedBytes(int slot) {
    return merged[slot] * SizeEstimate.PER_MERGED_WRITE;
  }

  int size() {
    return (int) (tail - head);
  }

  /** Writes that took another's place since entries were last taken out. */
  long mergedSinceTake() {
    return mergedSinceTake;
  }
}
