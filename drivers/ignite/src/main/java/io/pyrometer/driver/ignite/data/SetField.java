package io.pyrometer.driver.ignite.data;

import javax.cache.processor.MutableEntry;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CacheEntryProcessor;

/** Sent to where an entry lies: changes one field of its binary object. */
public final class SetField implements CacheEntryProcessor<Long, Object, Boolean> {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final Object value;

  public SetField(String field, Object value) {
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

  /** A copy of a binary object with one field changed. */
  public static Object in(Object record, String field, Object value) {
    return ((BinaryObject) record).toBuilder().setField(field, value).build();
  }
}
