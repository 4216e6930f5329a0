package io.pyrometer.ignite.writer;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries that were taken from a lane to be sent together: keys in slots, each key once. */
final class Batch<K, V> {
  private final Object[] keys;
  private final int[] partitions;
  private final @Nullable Object[] values;
  private final Ack[] acks;
  private int removals;
  private long bytes;
  private @Nullable Map<Object, Integer> slots;

  Batch(int size) {
    keys = new Object[size];
    partitions = new int[size];
    values = new Object[size];
    acks = new Ack[size];
  }

  void set(int slot, Object key, int partition, @Nullable Object value, Ack ack, long entryBytes) {
    keys[slot] = key;
    partitions[slot] = partition;
    values[slot] = value;
    acks[slot] = ack;
    bytes += entryBytes;
    removals += value == null ? 1 : 0;
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

  @SuppressWarnings("unchecked")
  @Nullable V value(int slot) {
    return (V) values[slot];
  }

  int partition(int slot) {
    return partitions[slot];
  }

  Ack ack(int slot) {
    return acks[slot];
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
