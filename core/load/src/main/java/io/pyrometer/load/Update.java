package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.IntStream;

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
    Optional<String> asked = settings.find(CoreSettings.UPDATE_FIELD);
    List<String> names = shape.fields().stream().map(FieldShape::name).toList();
    return first(
            shape,
            field -> asked.map(field.name()::equals).orElseGet(() -> Aggregation.isNumeric(field)))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Messages.format("load.no-field").formatted(shape.name(), names)));
  }

  /**
   * Place in the shape of the field that is the balance: the one that the setting {@code
   * update-field} names, else the first of type long or int.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  public static int balance(RecordShape shape, Settings settings) {
    Optional<String> asked = settings.find(CoreSettings.UPDATE_FIELD);
    return first(
            shape,
            field ->
                asked.map(field.name()::equals).orElse(true)
                    && (field.type() == FieldType.LONG || field.type() == FieldType.INT))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Messages.format("load.no-balance")
                        .formatted(shape.name(), asked.map(name -> " '" + name + "'").orElse(""))));
  }

  private static OptionalInt first(RecordShape shape, Predicate<FieldShape> wanted) {
    List<FieldShape> fields = shape.fields();
    return IntStream.range(0, fields.size())
        .filter(place -> wanted.test(fields.get(place)))
        .findFirst();
  }
}
