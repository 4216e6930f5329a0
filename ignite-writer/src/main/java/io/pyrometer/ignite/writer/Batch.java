package io.pyrometer.ignite.writer;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries that were taken from a lane to be sent together: keys in slots, each key once. */
final class Batch<K, V> {
  private final Object[] keys;
  private final int[] partitions;
  private final @Nullable Object[] values;
  private final WriteFuture[] futures;
  private int removals;
  private long bytes;
  private long oldest;
  private @Nullable Map<Object, Integer> slots;

  Batch(int size) {
    keys = new Object[size];
    partitions = new int[size];
    values = new Object[size];
    futures = new WriteFuture[size];
  }

  void set(
      int slot,
      Object key,
      int partition,
      @Nullable Object value,
      WriteFuture future,
      long entryBytes) {
    keys[slot] = key;
    partitions[slot] = partition;
    values[slot] = value;
    futures[slot] = future;
    bytes += entryBytes;
    removals += value == null ? 1 : 0;
  }

  /** Notes since when an entry has waited, the oldest first. */
  void waitedSince(long instant) {
    if (oldest == 0) {
      oldest = instant;
    }
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
