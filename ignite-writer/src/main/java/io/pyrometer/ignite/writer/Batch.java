package io.pyrometer.ignite.writer;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries that were taken from a lane to be sent together: keys in slots, each key once. */
final class Batch<K, V> {
  private final Object[] keys;
  private final int[] hashes;
  private final int[] partitions;
  private final @Nullable Object[] values;
  private final WriteFuture[] futures;
  private final int removals;
  private final long bytes;
  private final long oldest;
  private @Nullable Map<Object, Integer> slots;

  /**
   * Entries in arrays of the same length, which the batch keeps.
   *
   * @param hashes as {@link PendingWrites#spread} left them
   * @param bytes of all entries
   * @param oldest when the first of them was written, by {@link System#nanoTime()}
   */
  Batch(
      Object[] keys,
      int[] hashes,
      int[] partitions,
      @Nullable Object[] values,
      WriteFuture[] futures,
      long bytes,
      long oldest) {
    this.keys = keys;
    this.hashes = hashes;
    this.partitions = partitions;
    this.values = values;
    this.futures = futures;
    this.bytes = bytes;
    this.oldest = oldest;
    int without = 0;
    for (Object value : values) {
      without += value == null ? 1 : 0;
    }
    this.removals = without;
  }

  /** When the first of its entries was written, by {@link System#nanoTime()}. */
  long oldest() {
    return oldest;
  }

  /** The slot of a key, or -1. The first call makes an index. */
  int slotOf(Object key) {
    if (slots == null) {
      slots = new HashMap<>();
      for (int slot = 0; slot < keys.length; slot++) {
        slots.put(keys[slot], slot);
      }
    }
    return slots.getOrDefault(key, -1);
  }

  @SuppressWarnings("unchecked")
  K key(int slot) {
    return (K) keys[slot];
  }

  /** A value, an {@link Operation}, or nothing for a removal. */
  @Nullable Object content(int slot) {
    return values[slot];
  }

  @SuppressWarnings("unchecked")
  @Nullable V value(int slot) {
    return (V) values[slot];
  }

  int partition(int slot) {
    return partitions[slot];
  }

  /** The key's own hash. */
  int hash(int slot) {
    return PendingWrites.unspread(hashes[slot]);
  }

  /** Whether this is an {@link Operation}, which is always alone. */
  boolean isOperation() {
    return keys.length == 1 && values[0] instanceof Operation<?>;
  }

  WriteFuture future(int slot) {
    return futures[slot];
  }

  boolean isRemoval(int slot) {
    return values[slot] == null;
  }

  int size() {
    return keys.length;
  }

  int removals() {
    return removals;
  }

  long bytes() {
    return bytes;
  }
}
