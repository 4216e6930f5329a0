package io.pyrometer.ignite.writer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Some entries of one batch that go to the cache in one call: all puts or all removals. */
final class Part {
  private final int[] slots;
  private final boolean removal;
  private final int attempt;

  private Part(int[] slots, boolean removal, int attempt) {
    this.slots = slots;
    this.removal = removal;
    this.attempt = attempt;
  }

  /** The entries' slots, in the order they are sent; not to be changed. */
  int[] slots() {
    return slots;
  }

  boolean removal() {
    return removal;
  }

  /** How often these entries were sent before. */
  int attempt() {
    return attempt;
  }

  int size() {
    return slots.length;
  }

  Part again(int[] failedSlots) {
    return new Part(failedSlots, removal, attempt + 1);
  }

  Part firstHalf() {
    return new Part(Arrays.copyOf(slots, slots.length / 2), removal, attempt);
  }

  Part secondHalf() {
    return new Part(Arrays.copyOfRange(slots, slots.length / 2, slots.length), removal, attempt);
  }

  static Part of(Batch<?, ?> batch, boolean removal) {
    int count = removal ? batch.removals() : batch.size() - batch.removals();
    int[] slots = new int[count];
    int found = 0;
    for (int slot = 0; found < count; slot++) {
      if (batch.isRemoval(slot) == removal) {
        slots[found++] = slot;
      }
    }
    return new Part(slots, removal, 0);
  }

  /**
   * The same entries, partition by partition: a node writes faster to a few of its trees at a time
   * than to all of them in turn.
   */
  Part byPartition(Batch<?, ?> batch) {
    long[] order = new long[slots.length];
    Arrays.setAll(order, i -> (long) batch.partition(slots[i]) << 32 | slots[i]);
    Arrays.sort(order);
    int[] sorted = new int[slots.length];
    Arrays.setAll(sorted, i -> (int) order[i]);
    return new Part(sorted, removal, attempt);
  }

  /** The same entries in an order on which all writers agree: natural where keys have one. */
  Part sorted(Batch<?, ?> batch) {
    Comparator<Object> order = KeyOrder.INSTANCE;
    int[] sorted =
        IntStream.of(slots)
            .boxed()
            .sorted((a, b) -> order.compare(batch.key(a), batch.key(b)))
            .mapToInt(Integer::intValue)
            .toArray();
    return new Part(sorted, removal, attempt);
  }
}
