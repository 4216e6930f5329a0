package io.pyrometer.driver.ignite.data;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names of Ignite's types for a record and its fields. */
public final class Types {

  private Types() {}

  /** The binary type's name: the class where there is one. */
  public static String name(RecordShape shape) {
    return shape.className().orElse(shape.name());
  }

  /** The SQL table's name: Ignite calls it by the type's name without its package. */
  public static String table(RecordShape shape) {
    String name = name(shape);
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }

  /** Java types by field, in the shape's order, as a query entity wants them. */
  public static Map<String, String> columns(RecordShape shape) {
    LinkedHashMap<String, String> columns = new LinkedHashMap<>();
    shape.fields().forEach(field -> columns.put(field.name(), javaName(field.type())));
    return columns;
  }

  private static String javaName(FieldType type) {
    return switch (type) {
      case STRING -> "java.lang.String";
      case LONG -> "java.lang.Long";
      case INT -> "java.lang.Integer";
      case DOUBLE -> "java.lang.Double";
      case FLOAT -> "java.lang.Float";
      case BOOLEAN -> "java.lang.Boolean";
      case BYTES -> "[B";
      case TIMESTAMP -> "java.util.Date";
    };
  }

  /** The fields that a job aggregates over: those named by the setting, else all numeric ones. */
  public static String[] aggregated(RecordShape shape, Settings settings) {
    if (settings.has("aggregate")) {
      return Arrays.stream(settings.text("aggregate").split(","))
          .map(String::strip)
          .filter(name -> !name.isEmpty())
          .toArray(String[]::new);
    }
    return shape.fields().stream()
        .filter(field -> numeric(field.type()))
        .map(FieldShape::name)
        .toArray(String[]::new);
  }

  private static boolean numeric(FieldType type) {
    return List.of(FieldType.LONG, FieldType.INT, FieldType.DOUBLE, FieldType.FLOAT).contains(type);
  }
}
