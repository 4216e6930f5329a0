package io.pyrometer.ignite.writer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The orders in which the keys of one call are sent. */
final class SendOrder {
  /** Natural within a comparable class, otherwise by class name and hash. */
  @SuppressWarnings("unchecked")
  static final Comparator<Object> OF_LOCKS =
      (a, b) -> {
        if (a.getClass() != b.getClass()) {
          return a.getClass().getName().compareTo(b.getClass().getName());
        }
        return a instanceof Comparable<?>
            ? ((Comparable<Object>) a).compareTo(b)
            : Integer.compare(a.hashCode(), b.hashCode());
      };

  private static final int MAX_SORTED = 1 << 16;

  private SendOrder() {}

  /**
   * By partition, and in each by hash: the order of the trees in which Ignite keeps partitions, so
   * that a node goes through a few of them, each in one direction. More than 65,536 writes are
   * sorted in parts.
   */
  static void sortByPartition(List<PendingWrite> writes) {
    for (int from = 0; from < writes.size(); from += MAX_SORTED) {
      sort(writes.subList(from, Math.min(writes.size(), from + MAX_SORTED)));
    }
  }

  /** Sorts numbers, which costs a fraction of comparing the writes. */
  private static void sort(List<PendingWrite> writes) {
    PendingWrite[] unsorted = writes.toArray(PendingWrite[]::new);
    long[] order = new long[unsorted.length];
    for (int i = 0; i < order.length; i++) {
      long hash = (unsorted[i].hash & 0xFFFF_FFFFL) ^ 0x8000_0000L;
      order[i] = (long) unsorted[i].partition << 48 | hash << 16 | i;
    }
    Arrays.sort(order);
    for (int i = 0; i < order.length; i++) {
      writes.set(i, unsorted[(int) order[i] & 0xFFFF]);
    }
  }
}
