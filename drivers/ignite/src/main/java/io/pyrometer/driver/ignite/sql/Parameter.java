package io.pyrometer.driver.ignite.sql;

import io.pyrometer.driver.GridException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What fills one question mark of a query.
 *
 * @param kind what it is made of
 * @param low of {@code RANGE} the least value; else what is added
 * @param high of {@code RANGE} the largest value
 */
record Parameter(Kind kind, long low, long high) {
  private static final Pattern FORM =
      Pattern.compile("(key|other|previous)(?:\\+(\\d{1,9}))?|(\\d{1,9})\\.\\.(\\d{1,9})");

  enum Kind {
    /** The first key that the call drew. */
    KEY,
    /** A key that no parameter before it has. */
    OTHER,
    /** The parameter before it. */
    PREVIOUS,
    /** A whole number, the same for the same key. */
    RANGE
  }

  static final Parameter KEY = new Parameter(Kind.KEY, 0, 0);
  static final Parameter OTHER = new Parameter(Kind.OTHER, 0, 0);

  /**
   * @throws GridException if the text is no parameter
   */
  static Parameter of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new GridException(
          "'%s' is no parameter: take key, other or previous, with +N if need be, or LOW..HIGH."
              .formatted(text));
    }
    if (form.group(1) != null) {
      long added = form.group(2) == null ? 0 : Long.parseLong(form.group(2));
      return switch (form.group(1)) {
        case "key" -> new Parameter(Kind.KEY, added, 0);
        case "other" -> new Parameter(Kind.OTHER, added, 0);
        default -> new Parameter(Kind.PREVIOUS, added, 0);
      };
    }
    long low = Long.parseLong(form.group(3));
    long high = Long.parseLong(form.group(4));
    if (low > high) {
      throw new GridException(
          "'%s' is no range: its low end is above its high end.".formatted(text));
    }
    return new Parameter(Kind.RANGE, low, high);
  }

  /** Whether it uses a drawn key of its own. */
  boolean usesKey() {
    return kind == Kind.OTHER || kind == Kind.RANGE;
  }

  /**
   * @param key the drawn key that it uses
   * @param previous the value before it
   */
  long value(long key, long previous) {
    return switch (kind) {
      case KEY, OTHER -> key + low;
      case PREVIOUS -> previous + low;
      case RANGE -> low + Math.floorMod((key * 0x9E3779B97F4A7C15L) >>> 17, high - low + 1);
    };
  }
}
