package io.pyrometer.scenario;

import java.util.Locale;

/**
 * An enumeration whose constants logs and messages represent by their number. The order of the
 * constants is part of the format.
 */
public interface Coded {
  /** See {@link Enum#name()}. */
  String name();

  /** See {@link Enum#ordinal()}. */
  int ordinal();

  /** The number in logs and messages. */
  default int code() {
    return ordinal();
  }

  /**
   * The constant of a number.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  static <E extends Coded> E of(Class<E> type, int code) {
    return type.getEnumConstants()[code];
  }

  /** The name in tables: lower case, with blanks. */
  default String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The name in metrics: lower case, with hyphens. */
  default String metric() {
    return words().replace(' ', '-');
  }
}
