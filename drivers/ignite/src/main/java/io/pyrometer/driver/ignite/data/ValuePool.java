package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Records;
import org.apache.ignite.IgniteBinary;
import org.apache.ignite.binary.BinaryObjectBuilder;
import org.jspecify.annotations.Nullable;

/** The values of one trial: what is made beforehand is made once for all load threads. */
public final class ValuePool {
  private final Records records;
  private final BinaryBuilders builders;
  private Object @Nullable [][] fields;
  private Object @Nullable [] objects;
  private Object @Nullable [] prebuilt;

  public ValuePool(IgniteBinary binary, Records records) {
    this.records = records;
    this.builders = new BinaryBuilders(binary, records.shape());
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
    return switch (form) {
      case "prebuilt" -> prebuilt();
      case "cached-builder" -> cachedBuilder(fields());
      case "fresh-builder" -> freshBuilder(fields());
      case "object" -> objects(objects());
      case "from-object" -> fromObjects(objects());
      default ->
          throw new GridException(
              "There is no value form '"
                  + form
                  + "': use one of "
                  + GridSettings.VALUE_FORM.description().choices());
    };
  }

  /** Values as they are filled in: made beforehand. */
  public synchronized RecordValues prebuilt() {
    if (prebuilt == null) {
      Object[] made = new Object[records.size()];
      for (int record = 0; record < made.length; record++) {
        made[record] = builders.build(builders.fresh(), records.fields(record));
      }
      prebuilt = made;
    }
    Object[] made = prebuilt;
    return new RecordValues(record -> made[record], true);
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
      objects = RecordObjects.of(records);
    }
    return objects;
  }

  private RecordValues cachedBuilder(Object[][] of) {
    BinaryObjectBuilder builder = builders.fresh();
    return new RecordValues(record -> builders.build(builder, of[record]), true);
  }

  private RecordValues freshBuilder(Object[][] of) {
    return new RecordValues(record -> builders.build(builders.fresh(), of[record]), true);
  }

  private static RecordValues objects(Object[] of) {
    return new RecordValues(record -> of[record], false);
  }

  private RecordValues fromObjects(Object[] of) {
    return new RecordValues(record -> builders.of(of[record]), true);
  }
}
