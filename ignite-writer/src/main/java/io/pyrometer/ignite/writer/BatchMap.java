package io.pyrometer.ignite.writer;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The writes of one call as the unmodifiable map that a cache takes, without copying them. Made to
 * be iterated: looking up a key is linear.
 */
final class BatchMap extends AbstractMap<Object, Object> {
  private final List<PendingWrite> writes;
  private volatile boolean read;

  BatchMap(List<PendingWrite> writes) {
    this.writes = writes;
  }

  List<PendingWrite> writes() {
    return writes;
  }

  /** Returns whether the keys are to be removed. */
  boolean isRemoval() {
    return writes.get(0).isRemoval();
  }

  /**
   * Returns whether somebody has read it to its end, as a client does before it sends a request.
   */
  boolean wasRead() {
    return read;
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
            return new SimpleImmutableEntry<>(write.key.encoded, write.value);
          }
        };
      }
    };
  }
}
