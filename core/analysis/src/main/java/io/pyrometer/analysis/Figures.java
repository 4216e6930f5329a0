package io.pyrometer.analysis;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them in sentences: four significant digits, thousands set apart. */
public final class Figures {
  private static final MathContext DIGITS = new MathContext(4);

  private Figures() {}

  /** {@code 46474.3} as {@code 46,474}; {@code 0.0774972} as {@code 0.0775}. */
  public static String plain(double value) {
    if (!Double.isFinite(value)) {
      throw new BadDataException("A figure to be printed is not a finite number.");
    }
    double size = Math.abs(value);
    if (size >= 1000 && size < 1e15) {
      return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    boolean readable = size == 0 || (size >= 1e-4 && size < 1e15);
    return readable ? rounded.toPlainString() : rounded.toString();
  }

  /** A p value with two digits; never 0: {@code p 0.031}, {@code p < 0.0001}. */
  public static String p(double p) {
    return p < 0.0001
        ? "p < 0.0001"
        : "p " + new BigDecimal(p).round(new MathContext(2)).stripTrailingZeros().toPlainString();
  }

  /** A p value for a column that is headed p: {@code 0.031}, {@code < 0.0001}. */
  public static String bareP(double p) {
    return p(p).substring("p ".length());
  }

  /** {@code 1 run}, {@code 2 runs}: a count with its noun, plural by an s. */
  public static String count(long n, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", n, noun, n == 1 ? "" : "s");
  }
}
