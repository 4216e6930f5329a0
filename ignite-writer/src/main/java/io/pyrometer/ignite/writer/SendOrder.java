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

  /** The most writes that can be sorted at once. */
  static final int MAX_WRITES = 1 << 16;

  private SendOrder() {}

  /**
   * By partition, and in each by hash: the order of the trees in which Ignite keeps partitions, so
   * that a node goes through a few of them, each in one direction.
   */
  static void sortByPartition(List<PendingWrite> writes) {
    long[] order = new long[writes.size()];
    for (int i = 0; i < order.length; i++) {
      PendingWrite write = writes.get(i);
      long hash = (write.key.hash() & 0xFFFF_FFFFL) ^ 0x8000_0000L;
      order[i] = (long) write.key.partition() << 48 | hash << 16 | (i & 0xFFFF);
    }
    Arrays.sort(order);
    PendingWrite[] unsorted = writes.toArray(PendingWrite[]::new);
    for (int i = 0; i < order.length; i++) {
      writes.set(i, unsorted[(int) order[i] & 0xFFFF]);
    }
  }
}
