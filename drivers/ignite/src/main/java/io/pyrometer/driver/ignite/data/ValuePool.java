package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import org.apache.ignite.IgniteBinary;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.binary.BinaryObjectBuilder;
import org.jspecify.annotations.Nullable;

/** The values of one trial: what is made beforehand is made once for all load threads. */
public final class ValuePool {
  private final IgniteBinary binary;
  private final Records records;
  private final String type;
  private final String[] names;
  private Object @Nullable [][] fields;
  private Object @Nullable [] objects;
  private Object @Nullable [] prebuilt;

  public ValuePool(IgniteBinary binary, Records records) {
    this.binary = binary;
    this.records = records;
    this.type = TypeNames.name(records.shape());
    this.names = records.shape().fields().stream().map(FieldShape::name).toArray(String[]::new);
  }

  public Records records() {
    return records;
  }

  /**
   * Values in one of the forms of {@link GridSettings#VALUE_FORM}, for one load thread.
   *
   * @throws GridException if the form needs a class and the record has none
   */
  public synchronized RecordValues in(String form) {
    switch (form) {
      case "prebuilt" -> {
        return prebuilt();
      }
      case "cached-builder" -> {
        Object[][] of = fields();
        BinaryObjectBuilder builder = binary.builder(type);
        return new RecordValues(record -> build(builder, of[record]), true);
      }
      case "fresh-builder" -> {
        Object[][] of = fields();
        return new RecordValues(record -> build(binary.builder(type), of[record]), true);
      }
      case "object" -> {
        Object[] of = objects();
        return new RecordValues(record -> of[record], false);
      }
      default -> {
        Object[] of = objects();
        return new RecordValues(record -> binary.toBinary(of[record]), true);
      }
    }
  }

  /** Values as they are filled in: made beforehand. */
  public synchronized RecordValues prebuilt() {
    if (prebuilt == null) {
      Object[] made = new Object[records.size()];
      for (int record = 0; record < made.length; record++) {
        made[record] = build(binary.builder(type), records.fields(record));
      }
      prebuilt = made;
    }
    Object[] made = prebuilt;
    return new RecordValues(record -> made[record], true);
  }

  private BinaryObject build(BinaryObjectBuilder builder, Object[] values) {
    for (int i = 0; i < names.length; i++) {
      builder.setField(names[i], values[i]);
    }
    return builder.build();
  }

  /** Field values by record, in the shape's order. */
  public synchronized Object[][] fields() {
    if (fields == null) {
      Object[][] made = new Object[records.size()][];
      for (int record = 0; record < made.length; record++) {
        made[record] = records.fields(record);
      }
      fields = made;
    }
    return fields;
  }

  private Object[] objects() {
    if (objects == null) {
      objects = RecordClass.objects(records);
    }
    return objects;
  }
}
