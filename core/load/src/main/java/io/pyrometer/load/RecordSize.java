package io.pyrometer.load;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a record's values, without what a product adds to them. */
final class RecordSize {

  private RecordSize() {}

  static long of(RecordShape shape) {
    return shape.fields().stream().mapToLong(RecordSize::of).sum();
  }

  /**
   * The shape with its filler field sized so that a record has so many bytes.
   *
   * @throws IllegalArgumentException if there is no filler field
   */
  static RecordShape padded(RecordShape shape, long bytes) {
    FieldShape filler =
        shape.fields().stream()
            .filter(FieldShape::filler)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Record '"
                            + shape.name()
                            + "' has no filler field to take it to "
                            + bytes
                            + " bytes; mark a string or bytes field with 'filler: true'."));
    long others = of(shape) - of(filler);
    int size = (int) Math.max(0, bytes - others);
    List<FieldShape> fields = new ArrayList<>();
    for (FieldShape field : shape.fields()) {
      fields.add(field.equals(filler) ? sized(field, size) : field);
    }
    return new RecordShape(shape.name(), shape.className(), List.copyOf(fields));
  }

  private static FieldShape sized(FieldShape f, int size) {
    return new FieldShape(
        f.name(), f.type(), size, f.cardinality(), f.least(), f.most(), List.of(), true);
  }

  private static long of(FieldShape field) {
    return switch (field.type()) {
      case STRING, BYTES ->
          field.values().isEmpty()
              ? field.size()
              : (long) field.values().stream().mapToInt(String::length).average().orElse(0);
      case LONG, DOUBLE, TIMESTAMP -> 8;
      case INT, FLOAT -> 4;
      case BOOLEAN -> 1;
    };
  }
}
