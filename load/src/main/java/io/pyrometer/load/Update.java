package io.pyrometer.load;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import java.util.List;

/** What a job that updates changes: one field of a record that is there, the others stay. */
public final class Update {

  private Update() {}

  /**
   * Place in the shape of the field that the setting {@code update-field} names, else of the first
   * numeric field.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  public static int field(RecordShape shape, Settings settings) {
    List<FieldShape> fields = shape.fields();
    for (int i = 0; i < fields.size(); i++) {
      FieldShape field = fields.get(i);
      if (settings.has("update-field")
          ? field.name().equals(settings.text("update-field"))
          : Aggregation.isNumeric(field)) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "Record '"
            + shape.name()
            + "' has no field to update; name one of "
            + fields.stream().map(FieldShape::name).toList()
            + " as 'update-field'.");
  }
}
