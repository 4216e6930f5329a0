package io.pyrometer.load;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.util.ArrayList;
import java.util.List;

/** Sizes the filler field of records. */
final class RecordSize {

  private RecordSize() {}

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
    long others = shape.bytes() - filler.bytes();
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
}
