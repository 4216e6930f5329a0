package io.pyrometer.ignite.writer;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The writes of one call as the unmodifiable map that a cache takes, without copying them. Made to
 * be iterated: looking up a key is linear.
 */
final class BatchMap extends AbstractMap<Object, Object> {
  private final List<PendingWrite> writes;
  private final boolean removal;
  private volatile boolean read;

  BatchMap(List<PendingWrite> writes, boolean removal) {
    this.writes = writes;
    this.removal = removal;
  }

  /** Whether the keys are to be removed. */
  boolean isRemoval() {
    return removal;
  }

  /** Whether somebody has read it to its end, as a client does before it sends a request. */
  boolean wasRead() {
    return read;
  }

  /** The first key, which is not counted as reading. */
  Object first() {
    return writes.get(0).key;
  }

  /** One of its keys, of a partition of a kind. */
  Object keyOf(IntPredicate partition) {
    return writes.stream()
        .filter(write -> partition.test(write.partition))
        .findFirst()
        .orElseThrow()
        .key;
  }

  /** The partitions of its keys. */
  IntStream partitions() {
    return writes.stream().mapToInt(write -> write.partition).distinct();
  }

  @Override
  @SuppressWarnings("NullAway") // puts have values, and of removals only the keys are read
  public Set<Map.Entry<Object, Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return writes.size();
      }

      @Override
      public Iterator<Map.Entry<Object, Object>> iterator() {
        Iterator<PendingWrite> left = writes.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return left.hasNext();
          }

          @Override
          public Map.Entry<Object, Object> next() {
            PendingWrite write = left.next();
            read |= !left.hasNext();
            return new SimpleImmutableEntry<>(write.key, write.value);
          }
        };
      }
    };
  }
}
