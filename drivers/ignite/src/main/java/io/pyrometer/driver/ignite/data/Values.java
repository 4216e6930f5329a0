package io.pyrometer.driver.ignite.data;

import io.pyrometer.grid.GridException;
import io.pyrometer.load.Records;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.ignite.IgniteBinary;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.binary.BinaryObjectBuilder;

/** The records of a trial in the form in which an access path hands them to Ignite. */
public final class Values {
  /** What a value is when it is handed over; the first is made before anything is timed. */
  public static final List<String> FORMS =
      List.of("prebuilt", "cached-builder", "fresh-builder", "object", "from-object");

  private final IntFunction<Object> form;
  private final boolean binary;

  private Values(IntFunction<Object> form, boolean binary) {
    this.form = form;
    this.binary = binary;
  }

  /**
   * For one load thread.
   *
   * @param form one of {@link #FORMS}
   * @throws GridException if the form needs a class and the record has none
   */
  public static Values of(String form, IgniteBinary binary, Records records) {
    return switch (form) {
      case "prebuilt" -> new Values(prebuilt(binary, records), true);
      case "cached-builder" -> new Values(cachedBuilder(binary, records), true);
      case "fresh-builder" -> new Values(freshBuilder(binary, records), true);
      case "object" -> new Values(Objects.of(records)::get, false);
      case "from-object" -> new Values(fromObject(binary, Objects.of(records)), true);
      default -> throw new GridException("There is no value form '" + form + "': take " + FORMS);
    };
  }

  private static IntFunction<Object> prebuilt(IgniteBinary binary, Records records) {
    BinaryObject[] made = new BinaryObject[records.size()];
    for (int record = 0; record < made.length; record++) {
      made[record] = build(binary, records, records.fields(record));
    }
    return record -> made[record];
  }

  private static IntFunction<Object> fromObject(IgniteBinary binary, Objects objects) {
    return record -> binary.toBinary(objects.get(record));
  }

  private static IntFunction<Object> freshBuilder(IgniteBinary binary, Records records) {
    Object[][] fields = fields(records);
    return record -> build(binary, records, fields[record]);
  }

  private static IntFunction<Object> cachedBuilder(IgniteBinary binary, Records records) {
    Object[][] fields = fields(records);
    BinaryObjectBuilder builder = binary.builder(Types.name(records.shape()));
    return record -> set(builder, records, fields[record]).build();
  }

  private static Object[][] fields(Records records) {
    Object[][] fields = new Object[records.size()][];
    for (int record = 0; record < fields.length; record++) {
      fields[record] = records.fields(record);
    }
    return fields;
  }

  private static BinaryObject build(IgniteBinary binary, Records records, Object[] fields) {
    return set(binary.builder(Types.name(records.shape())), records, fields).build();
  }

  private static BinaryObjectBuilder set(
      BinaryObjectBuilder builder, Records records, Object[] fields) {
    for (int i = 0; i < fields.length; i++) {
      builder.setField(records.shape().fields().get(i).name(), fields[i]);
    }
    return builder;
  }

  public Object get(int record) {
    return form.apply(record);
  }

  /** Whether values are handed over as binary objects, for a cache that keeps them so. */
  public boolean binary() {
    return binary;
  }
}
