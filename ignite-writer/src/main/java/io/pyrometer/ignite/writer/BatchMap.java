package io.pyrometer.ignite.writer;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Function;

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

  /** Whether somebody has read it to its end, as a client does before it sends a request. */
  boolean wasRead() {
    return read;
  }

  /** The first key, which is not counted as reading. */
  Object first() {
    return writes.get(0).key;
  }

  @Override
  public int size() {
    return writes.size();
  }

  @Override
  public Keys keySet() {
    return new Keys();
  }

  @Override
  @SuppressWarnings(
      "NullAway") // a call has puts, which have values, or removals, of which it has keys
  public Set<Map.Entry<Object, Object>> entrySet() {
    return new Items<>(write -> new SimpleImmutableEntry<>(write.key, write.value));
  }

  /** The keys alone, for removals. */
  final class Keys extends Items<Object> {
    Keys() {
      super(write -> write.key);
    }

    BatchMap map() {
      return BatchMap.this;
    }
  }

  private class Items<T> extends AbstractSet<T> {
    private final Function<PendingWrite, T> item;

    Items(Function<PendingWrite, T> item) {
      this.item = item;
    }

    @Override
    public int size() {
      return writes.size();
    }

    @Override
    public Iterator<T> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < writes.size();
        }

        @Override
        public T next() {
          if (next == writes.size()) {
            throw new NoSuchElementException();
          }
          PendingWrite write = writes.get(next++);
          read |= next == writes.size();
          return item.apply(write);
        }
      };
    }
  }
}
