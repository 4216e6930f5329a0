package io.pyrometer.driver.ignite.data;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import org.apache.ignite.binary.BinaryField;
import org.apache.ignite.binary.BinaryObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads the same fields of many binary objects of one type, without making objects of their class.
 * Not safe for threads.
 */
final class BinaryFields {
  private final String[] names;
  private final Object[] values;
  private BinaryField @Nullable [] fields;

  BinaryFields(String[] names) {
    this.names = names;
    this.values = new Object[names.length];
  }

  /** Returns the fields of a record's shape, in their order. */
  static BinaryFields all(RecordShape shape) {
    return new BinaryFields(shape.fields().stream().map(FieldShape::name).toArray(String[]::new));
  }

  /** Field values in order; the same array each time. */
  Object[] of(BinaryObject object) {
    BinaryField[] readers = readers(object);
    for (int i = 0; i < readers.length; i++) {
      values[i] = readers[i].value(object);
    }
    return values;
  }

  private BinaryField[] readers(BinaryObject object) {
    if (fields == null) {
      BinaryField[] found = new BinaryField[names.length];
      for (int i = 0; i < names.length; i++) {
        found[i] = object.type().field(names[i]);
      }
      fields = found;
    }
    return fields;
  }
}
