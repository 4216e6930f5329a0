package io.pyrometer.driver.ignite.data;

import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names of Ignite's types for a record and its fields. */
public final class TypeNames {

  private TypeNames() {}

  /** The binary type's name: the class where there is one. */
  public static String name(RecordShape shape) {
    return RecordClass.name(shape).orElse(shape.name());
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
}
