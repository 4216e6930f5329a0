package io.pyrometer.driver.ignite.data;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import org.apache.ignite.IgniteBinary;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.binary.BinaryObjectBuilder;

/** Makes binary objects of a record's type from field values. Safe for threads. */
final class BinaryBuilders {
  private final IgniteBinary binary;
  private final String type;
  private final String[] names;

  BinaryBuilders(IgniteBinary binary, RecordShape shape) {
    this.binary = binary;
    this.type = TypeNames.name(shape);
    this.names = shape.fields().stream().map(FieldShape::name).toArray(String[]::new);
  }

  /** Returns a builder for use by one thread. */
  BinaryObjectBuilder fresh() {
    return binary.builder(type);
  }

  BinaryObject build(BinaryObjectBuilder builder, Object[] values) {
    for (int i = 0; i < names.length; i++) {
      builder.setField(names[i], values[i]);
    }
    return builder.build();
  }

  BinaryObject of(Object object) {
    return binary.toBinary(object);
  }
}
