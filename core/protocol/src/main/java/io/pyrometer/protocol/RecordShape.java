package io.pyrometer.protocol;

import java.util.Date;
import java.util.List;
import java.util.Optional;

/**
 * The records of a workload.
 *
 * @param name the type's name in the grid (a binary type where there is no class)
 * @param className a class on the user's class path whose fields take the values; empty for a type
 *     without a class
 * @param fields in order; empty with a class name, whose fields are then found in the class
 */
public record RecordShape(String name, Optional<String> className, List<FieldShape> fields) {

  /** Stands for records that were in the grid before, whose form need not be known to read them. */
  public static final RecordShape OF_EXISTING =
      new RecordShape("existing", Optional.empty(), List.of());

  /** The bytes of a record's values, without what a product adds to them; 0 with a class name. */
  public long bytes() {
    return fields.stream().mapToLong(FieldShape::bytes).sum();
  }

  /** Type of a field: that of its values in Java, and that of a column in standard SQL. */
  public enum FieldType {
    STRING(String.class, "VARCHAR"),
    LONG(Long.class, "BIGINT"),
    INT(Integer.class, "INTEGER"),
    DOUBLE(Double.class, "DOUBLE"),
    FLOAT(Float.class, "REAL"),
    BOOLEAN(Boolean.class, "BOOLEAN"),
    BYTES(byte[].class, "VARBINARY"),
    TIMESTAMP(Date.class, "TIMESTAMP(3)");

    private final Class<?> valueType;
    private final String columnType;

    FieldType(Class<?> valueType, String columnType) {
      this.valueType = valueType;
      this.columnType = columnType;
    }

    public Class<?> valueType() {
      return valueType;
    }

    public String columnType() {
      return columnType;
    }
  }

  /**
   * One field.
   *
   * @param size characters of a string, bytes of a byte array, of different sizes the mean; 0
   *     otherwise
   * @param cardinality how many different values occur; 0 for no limit
   * @param least smallest value of a number (milliseconds since 1970 for a timestamp)
   * @param most largest value of a number
   * @param values the values to draw from, as text; empty to generate
   * @param filler whether this field's size is chosen so that the record has the bytes asked for
   * @param sizes of a string or a byte array whose values differ in size
   */
  public record FieldShape(
      String name,
      FieldType type,
      int size,
      int cardinality,
      double least,
      double most,
      List<String> values,
      boolean filler,
      Optional<SizeDistribution> sizes) {

    /** A field whose values have one size. */
    public FieldShape(
        String name,
        FieldType type,
        int size,
        int cardinality,
        double least,
        double most,
        List<String> values,
        boolean filler) {
      this(name, type, size, cardinality, least, most, values, filler, Optional.empty());
    }

    /** The bytes of a value; of listed strings the mean. */
    public long bytes() {
      return switch (type) {
        case STRING, BYTES ->
            values.isEmpty()
                ? size
                : (long) values.stream().mapToInt(String::length).average().orElse(0);
        case LONG, DOUBLE, TIMESTAMP -> 8;
        case INT, FLOAT -> 4;
        case BOOLEAN -> 1;
      };
    }
  }
}
