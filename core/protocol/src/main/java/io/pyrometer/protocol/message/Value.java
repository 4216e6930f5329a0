package io.pyrometer.protocol.message;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A value of a finding with its type, which decides how it is shown. Its JSON form is an object
 * with one key, as {@code {"rate": 126000.0}}.
 *
 * @param value a {@code Double} of the type's unit, a {@code String} or a list of them
 */
public record Value(Type type, Object value) {
  private static final int MOST_NAMES = 3;
  private static final int DIGITS = 3;
  private static final String[] LARGE = {"", " k", " M", " G", " T"};
  private static final int LARGEST_EXPONENT = 14;
  private static final int SMALLEST_EXPONENT = -4;
  private static final int WHOLE = 4;

  /** Types of values, and the unit in which they are held. */
  public enum Type {
    /** Operations or records a second: {@code 126 k}. */
    RATE,
    /** Microseconds: {@code 1.25 ms}. */
    DURATION,
    /** A factor: {@code 76.6×}. */
    RATIO,
    /** From 0 to 1: {@code 64.5 %}. */
    SHARE,
    /** A factor shown as its difference from 1, with a sign: {@code −10 %}. */
    CHANGE,
    /** A whole number: {@code 46,474}. */
    COUNT,
    /** {@code 1.03 GB}. */
    BYTES,
    /** Any other number; its unit is in the template: {@code 37.6}. */
    NUMBER,
    /** A name or other text. */
    NAME,
    /** Names: {@code a, b and c}, or {@code a, b and 4 others}. */
    LIST
  }

  public static Value rate(double perSecond) {
    return new Value(Type.RATE, perSecond);
  }

  public static Value micros(double micros) {
    return new Value(Type.DURATION, micros);
  }

  public static Value seconds(double seconds) {
    return micros(seconds * 1e6);
  }

  public static Value ratio(double ratio) {
    return new Value(Type.RATIO, ratio);
  }

  public static Value share(double share) {
    return new Value(Type.SHARE, share);
  }

  public static Value change(double ratio) {
    return new Value(Type.CHANGE, ratio);
  }

  public static Value count(long count) {
    return new Value(Type.COUNT, (double) count);
  }

  public static Value bytes(double bytes) {
    return new Value(Type.BYTES, bytes);
  }

  public static Value number(double number) {
    return new Value(Type.NUMBER, number);
  }

  public static Value name(String name) {
    return new Value(Type.NAME, name);
  }

  public static Value names(Collection<String> names) {
    return new Value(Type.LIST, List.copyOf(names));
  }

  @JsonValue
  Map<String, Object> json() {
    return Map.of(type.name().toLowerCase(Locale.ROOT), value);
  }

  @JsonCreator
  static Value of(Map<String, Object> json) {
    Map.Entry<String, Object> only = json.entrySet().iterator().next();
    Object value = only.getValue();
    return new Value(
        Type.valueOf(only.getKey().toUpperCase(Locale.ROOT)),
        value instanceof Number number ? number.doubleValue() : value);
  }

  /** The number; throws {@link ClassCastException} of a name or list. */
  public double number() {
    return (Double) value;
  }

  /** The value as people read it. */
  public String text() {
    return switch (type) {
      case RATE, NUMBER -> shorten(number());
      case DURATION -> duration(number());
      case RATIO -> shorten(number()) + "×";
      case SHARE -> percent(number(), "%.1f");
      case CHANGE -> difference(number());
      case COUNT -> String.format(Locale.ROOT, "%,d", Math.round(number()));
      case BYTES -> shorten(number()) + (Math.abs(number()) < 1e4 ? " B" : "B");
      case NAME -> String.valueOf(value);
      case LIST -> list(((List<?>) value).stream().map(String::valueOf).toList());
    };
  }

  /** {@code 226431} as {@code 226 k}, {@code 0.077497} as {@code 0.0775}. */
  public static String shorten(double value) {
    if (!Double.isFinite(value)) {
      return Double.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
    }
    return shorten(value, DIGITS, Math.abs(value));
  }

  /**
   * Variant with a number of significant digits, and k, M or G as suits {@code size}, so that the
   * figures of one interval match.
   */
  public static String shorten(double value, int digits, double size) {
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits));
    int exponent = exponent(rounded);
    int largest = Math.max(exponent, exponent(new BigDecimal(size).round(new MathContext(digits))));
    if (largest < SMALLEST_EXPONENT || largest > LARGEST_EXPONENT) {
      return minus(String.format(Locale.ROOT, "%." + (digits - 1) + "e", value));
    }
    if (largest < Math.max(WHOLE, digits)) {
      return decimal(rounded, digits - 1 - Math.max(exponent, SMALLEST_EXPONENT));
    }
    int thousands = largest / 3;
    BigDecimal scaled = rounded.movePointLeft(3 * thousands);
    int decimals = Math.min(digits - 1, digits - 1 - (exponent - 3 * thousands));
    return decimal(scaled, decimals) + LARGE[thousands];
  }

  private static int exponent(BigDecimal value) {
    return value.signum() == 0 ? 0 : value.precision() - value.scale() - 1;
  }

  private static String decimal(BigDecimal value, int decimals) {
    BigDecimal shown = value.setScale(Math.max(0, decimals), RoundingMode.HALF_EVEN);
    shown = shown.signum() == 0 ? BigDecimal.ZERO : shown.stripTrailingZeros();
    return minus(String.format(Locale.ROOT, "%,." + Math.max(0, shown.scale()) + "f", shown));
  }

  /** A time given in microseconds, in the unit that suits it: {@code 1.25 ms}, {@code 5 min}. */
  private static String duration(double micros) {
    double size = Math.abs(micros);
    if (size >= 120e6) {
      return shorten(micros / 60e6) + " min";
    }
    if (size >= 1e6) {
      return shorten(micros / 1e6) + " s";
    }
    return size >= 1e3 ? shorten(micros / 1e3) + " ms" : shorten(micros) + " µs";
  }

  private static String difference(double ratio) {
    double percent = (ratio - 1) * 100;
    return percent > 1e300
        ? "+∞ %"
        : percent(ratio - 1, Math.abs(percent) < 1000 ? "%+.1f" : "%+,.0f");
  }

  private static String percent(double share, String form) {
    String figure = String.format(Locale.ROOT, form, share * 100);
    String trimmed = figure.endsWith(".0") ? figure.substring(0, figure.length() - 2) : figure;
    return minus(trimmed.matches("[+-]0") ? "0" : trimmed) + " %";
  }

  private static String list(List<String> names) {
    int shown = names.size() > MOST_NAMES ? MOST_NAMES - 1 : Math.max(0, names.size() - 1);
    if (names.size() < 2) {
      return String.join("", names);
    }
    String last = shown == names.size() - 1 ? names.get(shown) : (names.size() - shown) + " others";
    return String.join(", ", names.subList(0, shown)) + " and " + last;
  }

  private static String minus(String figure) {
    return figure.replace('-', '−');
  }
}
