package io.pyrometer.driver.ignite.data;

import javax.cache.processor.MutableEntry;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.jspecify.annotations.Nullable;

/**
 * Sent to where an entry lies: makes an object of the record's class of it and changes one field.
 */
public final class SetFieldOfObject implements CacheEntryProcessor<Long, Object, Boolean> {
  private static final long serialVersionUID = 1L;
  private static volatile @Nullable Found found;

  private final String field;
  private final Object value;

  /** The field looked up last, since all entries of a trial have one class. */
  private record Found(Class<?> type, String name, ObjectField field) {}

  public SetFieldOfObject(String field, Object value) {
    this.field = field;
    this.value = value;
  }

  /** Whether there was an entry to change. */
  @Override
  public Boolean process(MutableEntry<Long, Object> entry, Object... none) {
    if (!entry.exists()) {
      return false;
    }
    entry.setValue(in(entry.getValue(), field, value));
    return true;
  }

  /** The object, one field of it changed. */
  public static Object in(Object record, String field, Object value) {
    fieldOf(record.getClass(), field).set(record, value);
    return record;
  }

  private static ObjectField fieldOf(Class<?> type, String name) {
    Found last = found;
    if (last == null || last.type() != type || !last.name().equals(name)) {
      last = new Found(type, name, ObjectField.of(type, name));
      found = last;
    }
    return last.field();
  }
}
