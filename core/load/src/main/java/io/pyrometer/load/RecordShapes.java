package io.pyrometer.load;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.message.Messages;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/** Shapes of records that are made from a declared one. */
final class RecordShapes {

  private static final int DEFAULT_SIZE = 12;

  private RecordShapes() {}

  /** The instance fields of the user's own class, those of the types that a record may have. */
  static RecordShape ofClass(RecordShape shape) {
    String name = shape.className().orElseThrow();
    List<FieldShape> fields = new ArrayList<>();
    for (Class<?> type = load(name); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
          typeOf(field.getType())
              .ifPresent(
                  known ->
                      fields.add(
                          new FieldShape(
                              field.getName(), known, DEFAULT_SIZE, 0, 0, 0, List.of(), false)));
        }
      }
    }
    return new RecordShape(shape.name(), shape.className(), List.copyOf(fields));
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(Messages.format("load.no-class").formatted(name), e);
    }
  }

  private static Optional<FieldType> typeOf(Class<?> type) {
    if (type == String.class) {
      return Optional.of(FieldType.STRING);
    } else if (type == long.class || type == Long.class) {
      return Optional.of(FieldType.LONG);
    } else if (type == int.class || type == Integer.class) {
      return Optional.of(FieldType.INT);
    } else if (type == double.class || type == Double.class) {
      return Optional.of(FieldType.DOUBLE);
    } else if (type == float.class || type == Float.class) {
      return Optional.of(FieldType.FLOAT);
    } else if (type == boolean.class || type == Boolean.class) {
      return Optional.of(FieldType.BOOLEAN);
    } else if (type == byte[].class) {
      return Optional.of(FieldType.BYTES);
    } else if (type == Date.class) {
      return Optional.of(FieldType.TIMESTAMP);
    }
    return Optional.empty();
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
                        Messages.format("load.no-filler").formatted(shape.name(), bytes)));
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
