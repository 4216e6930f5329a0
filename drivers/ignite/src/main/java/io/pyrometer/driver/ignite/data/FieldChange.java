package io.pyrometer.driver.ignite.data;

import java.lang.reflect.Field;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * A change of one field of a record, which may be sent to where the entry lies. The record is a
 * binary object, which is copied, or an object of its class, which is changed itself.
 */
public final class FieldChange implements CacheEntryProcessor<Long, Object, Boolean> {
  private static final long serialVersionUID = 1L;

  /** The field looked up last, since all entries of a trial have one class. */
  private static volatile @Nullable Field last;

  private final String field;
  private final Object operand;
  private final boolean adds;

  private FieldChange(String field, Object operand, boolean adds) {
    this.field = field;
    this.operand = operand;
    this.adds = adds;
  }

  /** Gives the field a value. */
  public static FieldChange set(String field, Object value) {
    return new FieldChange(field, value, false);
  }

  /** Adds to a field of type long or int of a binary object. */
  public static FieldChange add(String field, long amount) {
    return new FieldChange(field, amount, true);
  }

  /** Returns whether there was an entry to change. */
  @Override
  public Boolean process(MutableEntry<Long, Object> entry, Object... none) {
    if (!entry.exists()) {
      return false;
    }
    entry.setValue(of(entry.getValue()));
    return true;
  }

  /** The changed record. */
  public Object of(Object record) {
    if (record instanceof BinaryObject binary) {
      Object value = adds ? sum(binary.field(field), (Long) operand) : operand;
      return binary.toBuilder().setField(field, value).build();
    }
    Field changed = last;
    if (changed == null
        || !changed.getName().equals(field)
        || !changed.getDeclaringClass().isInstance(record)) {
      changed = RecordClass.field(record.getClass(), field);
      last = changed;
    }
    ReflectionUtils.setField(changed, record, operand);
    return record;
  }

  private static Object sum(Number before, long amount) {
    long after = before.longValue() + amount;
    return before instanceof Integer ? (Object) Math.toIntExact(after) : (Object) after;
  }
}
