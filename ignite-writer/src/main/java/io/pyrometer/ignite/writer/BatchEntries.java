package io.pyrometer.ignite.writer;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * A batch's entries as the unmodifiable map that a cache takes, without copying them. Made to be
 * iterated: looking up a key is linear.
 */
final class BatchEntries<K, V> extends AbstractMap<K, V> {
  private final Batch<K, V> batch;
  private final int[] slots;

  BatchEntries(Batch<K, V> batch, BatchSlice slice) {
    this.batch = batch;
    this.slots = slice.slots();
  }

  @Override
  public int size() {
    return slots.length;
  }

  @Override
  public Set<K> keySet() {
    return setOf(batch::key);
  }

  @Override
  public Collection<V> values() {
    return new AbstractCollection<>() {
      @Override
      public Iterator<V> iterator() {
        return new SlotIterator<>(slots, BatchEntries.this::valueAt);
      }

      @Override
      public int size() {
        return slots.length;
      }
    };
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return setOf(slot -> new SimpleImmutableEntry<>(batch.key(slot), valueAt(slot)));
  }

  private V valueAt(int slot) {
    V value = batch.value(slot);
    if (value == null) {
      throw new IllegalStateException("a removal stands among the puts of a batch");
    }
    return value;
  }

  private <T> Set<T> setOf(IntFunction<T> item) {
    return new AbstractSet<>() {
      @Override
      public Iterator<T> iterator() {
        return new SlotIterator<>(slots, item);
      }

      @Override
      public int size() {
        return slots.length;
      }
    };
  }

  private static final class SlotIterator<T> implements Iterator<T> {
    private final int[] slots;
    private final IntFunction<T> item;
    private int next;

    SlotIterator(int[] slots, IntFunction<T> item) {
      this.slots = slots;
      this.item = item;
    }

    @Override
    public boolean hasNext() {
      return next < slots.length;
    }

    @Override
    public T next() {
      if (next == slots.length) {
        throw new NoSuchElementException();
      }
      return item.apply(slots[next++]);
    }
  }
}
