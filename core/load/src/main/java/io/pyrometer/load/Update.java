package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import java.util.List;

/**
 * Change by a job that updates or transfers: one field of a record that is there, the others stay.
 */
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
      if (settings.has(CoreSettings.UPDATE_FIELD)
          ? field.name().equals(settings.get(CoreSettings.UPDATE_FIELD))
          : Aggregation.isNumeric(field)) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        Messages.format("load.no-field")
            .formatted(shape.name(), fields.stream().map(FieldShape::name).toList()));
  }

  /**
   * Place in the shape of the field that is the balance: the one that the setting {@code
   * update-field} names, else the first of type long or int.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  public static int balance(RecordShape shape, Settings settings) {
    for (int i = 0; i < shape.fields().size(); i++) {
      FieldShape field = shape.fields().get(i);
      boolean asked =
          !settings.has(CoreSettings.UPDATE_FIELD)
              || settings.get(CoreSettings.UPDATE_FIELD).equals(field.name());
      if (asked && (field.type() == FieldType.LONG || field.type() == FieldType.INT)) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        Messages.format("load.no-balance")
            .formatted(
                shape.name(),
                settings.has(CoreSettings.UPDATE_FIELD)
                    ? " '" + settings.get(CoreSettings.UPDATE_FIELD) + "'"
                    : ""));
  }
}
