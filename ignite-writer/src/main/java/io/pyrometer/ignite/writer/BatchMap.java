package io.pyrometer.ignite.writer;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.ignite.binary.BinaryObject;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one call as the unmodifiable map that a cache takes, without copying them. Made to
 * be iterated: looking up a key is linear.
 */
final class BatchMap extends AbstractMap<Object, Object> {
  /** Writes whose values are looked at. */
  private static final int FEW = 16;

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

  /** One of the writes of each partition: they are sorted by partition, mostly. */
  List<PendingWrite> oneOfEachPartition() {
    List<PendingWrite> one = new ArrayList<>();
    for (PendingWrite write : writes) {
      if (one.isEmpty() || one.get(one.size() - 1).partition != write.partition) {
        one.add(write);
      }
    }
    return one;
  }

  /** A value of one of the first writes that a server can tell from this one without its class. */
  Optional<Object> valueUnlike(Object value) {
    return value instanceof BinaryObject
        ? writes.stream()
            .limit(FEW)
            .<@Nullable Object>map(write -> write.value)
            .filter(other -> other instanceof BinaryObject && !other.equals(value))
            .<Object>map(Objects::requireNonNull)
            .findFirst()
        : Optional.empty();
  }

  @Override
  public Set<Object> keySet() {
    return new Items<>(write -> write.key);
  }

  @Override
  @SuppressWarnings("NullAway") // puts have values, and of removals only the keys are read
  public Set<Map.Entry<Object, Object>> entrySet() {
    return new Items<>(write -> new SimpleImmutableEntry<>(write.key, write.value));
  }

  private final class Items<T> extends AbstractSet<T> {
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
      Iterator<PendingWrite> left = writes.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return left.hasNext();
        }

        @Override
        public T next() {
          PendingWrite write = left.next();
          read |= !left.hasNext();
          return item.apply(write);
        }
      };
    }
  }
}
