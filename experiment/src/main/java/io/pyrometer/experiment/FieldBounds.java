package io.pyrometer.experiment;

import io.pyrometer.protocol.RecordShape.FieldType;
import java.util.Set;

/** The values that a field's type can hold. */
final class FieldBounds {

  private static final double YEAR_2100_MILLIS = 4_102_444_800_000.0;
  private static final double DEFAULT_MOST = 1_000_000;

  private FieldBounds() {}

  /** Where a file gives no smallest value. */
  static double least(FieldType type) {
    return type == FieldType.TIMESTAMP ? 946_684_800_000.0 : 0;
  }

  /** Where a file gives no largest value. */
  static double most(FieldType type) {
    return switch (type) {
      case TIMESTAMP -> YEAR_2100_MILLIS;
      case BOOLEAN -> 1;
      case FLOAT, DOUBLE -> 1;
      default -> DEFAULT_MOST;
    };
  }

  static boolean inside(FieldType type, double value) {
    return switch (type) {
      case INT ->
          value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE && value == Math.rint(value);
      case LONG -> Math.abs(value) <= 1L << 53 && value == Math.rint(value);
      case FLOAT -> Math.abs(value) <= Float.MAX_VALUE;
      default -> Double.isFinite(value);
    };
  }

  /** Whether a text is a value of the type. */
  static boolean fits(FieldType type, String text) {
    return switch (type) {
      case STRING, BYTES -> true;
      case BOOLEAN -> Set.of("true", "false").contains(text);
      default -> numeric(type, text);
    };
  }

  private static boolean numeric(FieldType type, String text) {
    try {
      return inside(type, Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
