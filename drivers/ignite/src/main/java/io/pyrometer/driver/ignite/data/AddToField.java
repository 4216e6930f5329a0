package io.pyrometer.driver.ignite.data;

import javax.cache.processor.MutableEntry;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CacheEntryProcessor;

/** Sent to where an entry lies: adds to one whole-numbered field of its binary object. */
public final class AddToField implements CacheEntryProcessor<Long, Object, Boolean> {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final long amount;

  public AddToField(String field, long amount) {
    this.field = field;
    this.amount = amount;
  }

  /** Whether there was an entry to change. */
  @Override
  public Boolean process(MutableEntry<Long, Object> entry, Object... none) {
    if (!entry.exists()) {
      return false;
    }
    entry.setValue(in(entry.getValue(), field, amount));
    return true;
  }

  /** A copy of a binary object with an amount added to one field of type long or int. */
  public static Object in(Object record, String field, long amount) {
    Number before = ((BinaryObject) record).field(field);
    long after = before.longValue() + amount;
    Object value = before instanceof Integer ? (Object) Math.toIntExact(after) : (Object) after;
    return SetField.in(record, field, value);
  }
}
