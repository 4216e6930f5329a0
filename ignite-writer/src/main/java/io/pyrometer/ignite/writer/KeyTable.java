package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hash table of writes by key. Its buckets are chains of the writes, so that it has no nodes. */
final class KeyTable {
  private @Nullable PendingWrite[] buckets = new PendingWrite[16];
  private int size;

  /** The write of the same key, if there is one. */
  @Nullable PendingWrite get(PendingWrite like) {
    @Nullable PendingWrite found = buckets[bucket(like)];
    while (found != null && !found.hasKeyOf(like)) {
      found = found.chain;
    }
    return found;
  }

  /** Mixed, because the hash codes of the keys of a partition have bits in common. */
  private int bucket(PendingWrite write) {
    return (write.hash * 0x9E3779B9) >>> Integer.numberOfLeadingZeros(buckets.length - 1);
  }

  /** Adds a write of a key that has none. */
  void add(PendingWrite write) {
    if (size == buckets.length) {
      List<PendingWrite> all = all();
      buckets = new PendingWrite[2 * size];
      all.forEach(this::link);
    }
    link(write);
    size++;
  }

  private void link(PendingWrite write) {
    int bucket = bucket(write);
    write.chain = buckets[bucket];
    buckets[bucket] = write;
  }

  /** Removes a write; false if it is not there. */
  boolean remove(PendingWrite write) {
    int bucket = bucket(write);
    @Nullable PendingWrite before = null;
    for (@Nullable PendingWrite at = buckets[bucket]; at != null; at = at.chain) {
      if (at == write) {
        if (before == null) {
          buckets[bucket] = write.chain;
        } else {
          before.chain = write.chain;
        }
        write.chain = null;
        size--;
        return true;
      }
      before = at;
    }
    return false;
  }

  boolean isEmpty() {
    return size == 0;
  }

  List<PendingWrite> all() {
    List<PendingWrite> all = new ArrayList<>(size);
    for (@Nullable PendingWrite first : buckets) {
      for (@Nullable PendingWrite at = first; at != null; at = at.chain) {
        all.add(at);
      }
    }
    return all;
  }
}
