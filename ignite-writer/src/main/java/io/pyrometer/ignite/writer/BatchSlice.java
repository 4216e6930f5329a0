package io.pyrometer.ignite.writer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Some entries of one batch that go to the cache in one call: all puts or all removals. */
final class BatchSlice {
  private final int[] slots;
  private final boolean removal;
  private final int attempt;

  private BatchSlice(int[] slots, boolean removal, int attempt) {
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

  /** The first of its entries alone stands for an {@link Operation}. */
  static BatchSlice ofOperation() {
    return new BatchSlice(new int[] {0}, false, 0);
  }

  /** How often these entries were sent before. */
  int attempt() {
    return attempt;
  }

  int size() {
    return slots.length;
  }

  BatchSlice again(int[] failedSlots) {
    return new BatchSlice(failedSlots, removal, attempt + 1);
  }

  /** These entries without those that are complete or otherwise out of the question. */
  BatchSlice only(IntPredicate wanted) {
    return new BatchSlice(IntStream.of(slots).filter(wanted).toArray(), removal, attempt);
  }

  BatchSlice firstHalf() {
    return new BatchSlice(Arrays.copyOf(slots, slots.length / 2), removal, attempt);
  }

  BatchSlice secondHalf() {
    return new BatchSlice(
        Arrays.copyOfRange(slots, slots.length / 2, slots.length), removal, attempt);
  }

  static BatchSlice of(Batch<?, ?> batch, boolean removal) {
    int count = removal ? batch.removals() : batch.size() - batch.removals();
    int[] slots = new int[count];
    int found = 0;
    for (int slot = 0; found < count; slot++) {
      if (batch.isRemoval(slot) == removal) {
        slots[found++] = slot;
      }
    }
    return new BatchSlice(slots, removal, 0);
  }

  /**
   * The same entries, partition by partition, and in each by the keys' hashes: the order of the
   * trees in which Ignite keeps partitions, so that a node goes through a few of them, each in one
   * direction.
   */
  BatchSlice byPartition(Batch<?, ?> batch) {
    int[] ends = new int[1 + IntStream.of(slots).map(batch::partition).max().orElse(0)];
    for (int slot : slots) {
      ends[batch.partition(slot)]++;
    }
    for (int partition = 1; partition < ends.length; partition++) {
      ends[partition] += ends[partition - 1];
    }
    long[] order = new long[slots.length];
    int[] next = ends.clone();
    for (int slot : slots) {
      order[--next[batch.partition(slot)]] = (long) batch.hash(slot) << 32 | slot;
    }
    for (int partition = 0; partition < ends.length; partition++) {
      if (ends[partition] - next[partition] > 1) {
        Arrays.sort(order, next[partition], ends[partition]);
      }
    }
    int[] sorted = new int[slots.length];
    Arrays.setAll(sorted, i -> (int) order[i]);
    return new BatchSlice(sorted, removal, attempt);
  }

  /** The same entries in an order on which all writers agree: natural where keys have one. */
  BatchSlice sorted(Batch<?, ?> batch) {
    Comparator<Object> order = KeyOrder.INSTANCE;
    int[] sorted =
        IntStream.of(slots)
            .boxed()
            .sorted((a, b) -> order.compare(batch.key(a), batch.key(b)))
            .mapToInt(Integer::intValue)
            .toArray();
    return new BatchSlice(sorted, removal, attempt);
  }
}
