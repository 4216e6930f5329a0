package io.pyrometer.driver.ignite.data;

import io.pyrometer.load.HighestFields;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.util.List;
import org.apache.ignite.binary.BinaryField;
import org.apache.ignite.binary.BinaryObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads the same fields of many binary objects of one type, without making objects of their class.
 */
public final class BinaryFields {
  private final List<String> names;
  private volatile BinaryField @Nullable [] fields;

  public BinaryFields(List<String> names) {
    this.names = List.copyOf(names);
  }

  /** The fields of a record's shape, in their order. */
  public static BinaryFields all(RecordShape shape) {
    return new BinaryFields(shape.fields().stream().map(FieldShape::name).toList());
  }

  /** Field values in order. */
  public Object[] of(BinaryObject object) {
    BinaryField[] readers = readers(object);
    Object[] values = new Object[readers.length];
    for (int i = 0; i < readers.length; i++) {
      values[i] = readers[i].value(object);
    }
    return values;
  }

  /** Adds a record to an aggregate over these fields. */
  public void see(HighestFields highest, BinaryObject object) {
    BinaryField[] readers = readers(object);
    highest.seeValues(i -> readers[i].<Number>value(object).doubleValue());
  }

  private BinaryField[] readers(BinaryObject object) {
    BinaryField[] known = fields;
    if (known == null) {
      known = names.stream().map(object.type()::field).toArray(BinaryField[]::new);
      fields = known;
    }
    return known;
  }
}
