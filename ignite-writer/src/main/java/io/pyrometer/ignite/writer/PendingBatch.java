package io.pyrometer.ignite.writer;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Entries that wait to be sent together, in the order of their first writes: at most one per key,
 * with its last value. An open-addressing table finds a key's slot; slots are never removed.
 *
 * <p>Not safe for threads: its lane's lock guards it while it is open, its {@link BatchSend} owns
 * it afterwards and it does not change any more.
 */
final class PendingBatch<K, V> {
  private static final int SMALLEST = 16;

  private Object[] keys;
  private @Nullable Object[] values;
  private Ack[] acks;
  private int[] hashes;
  private int[] table;
  private int size;
  private int removals;
  private long writes;
  private long bytes;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  PendingBatch(int expectedSize) {
    int capacity = Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, expectedSize - 1)) * 2);
    keys = new Object[capacity];
    values = new Object[capacity];
    acks = new Ack[capacity];
    hashes = new int[capacity];
    table = new int[capacity * 2];
  }

  static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 16);
  }

  /** The slot of a key, or -1. */
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

  int slotOf(Object key) {
    return slotOf(key, spread(key.hashCode()));
  }

  /** Adds a key that is not here yet; no value means that the key is to be removed. */
  Ack add(K key, int spreadHash, @Nullable V value, long entryBytes) {
    if (size == keys.length) {
      grow();
    }
    Ack ack = new Ack();
    keys[size] = key;
    values[size] = value;
    acks[size] = ack;
    hashes[size] = spreadHash;
    enter(size);
    size++;
    writes++;
    removals += value == null ? 1 : 0;
    bytes += entryBytes;
    return ack;
  }

  /** A later write of the key in this slot: it takes the place of the earlier one. */
  Ack replace(int slot, @Nullable V value, long moreBytes) {
    removals += (value == null ? 1 : 0) - (values[slot] == null ? 1 : 0);
    values[slot] = value;
    writes++;
    bytes += moreBytes;
    return acks[slot];
  }

  private void enter(int slot) {
    int mask = table.length - 1;
    int at = hashes[slot] & mask;
    while (table[at] != 0) {
      at = (at + 1) & mask;
    }
    table[at] = slot + 1;
  }

  private void grow() {
    int capacity = keys.length * 2;
    keys = Arrays.copyOf(keys, capacity);
    values = Arrays.copyOf(values, capacity);
    acks = Arrays.copyOf(acks, capacity);
    hashes = Arrays.copyOf(hashes, capacity);
    table = new int[capacity * 2];
    for (int slot = 0; slot < size; slot++) {
      enter(slot);
    }
  }

  @SuppressWarnings("unchecked")
  K key(int slot) {
    return (K) keys[slot];
  }

  @SuppressWarnings("unchecked")
  @Nullable V value(int slot) {
    return (V) values[slot];
  }

  Ack ack(int slot) {
    return acks[slot];
  }

  boolean isRemoval(int slot) {
    return values[slot] == null;
  }

  int size() {
    return size;
  }

  int removals() {
    return removals;
  }

  /** Writes taken, merged ones included. */
  long writes() {
    return writes;
  }

  long bytes() {
    return bytes;
  }

  /** Completes, never with an error, when every entry has been acknowledged or has failed. */
  CompletableFuture<Void> done() {
    return done;
  }
}
