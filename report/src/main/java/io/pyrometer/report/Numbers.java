package io.pyrometer.report;

import io.pyrometer.analysis.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Numbers as tables and charts show them: three significant digits, thousands as k, M, G, an
 * interval in brackets. Sentences use {@link io.pyrometer.analysis.Figures}.
 */
public final class Numbers {
  private static final int DIGITS = 3;
  private static final String[] LARGE = {"", " k", " M", " G", " T"};

  private Numbers() {}

  /**
   * Three significant digits: {@code 226431} as {@code 226 k}, {@code 0.077497} as {@code 0.0775}.
   */
  public static String shorten(double value) {
    return shorten(value, DIGITS);
  }

  /** The same with another number of significant digits. */
  public static String shorten(double value, int digits) {
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits));
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent < 4 && exponent >= -4) {
      return exponent >= 3 ? whole(rounded.doubleValue()) : decimal(rounded, digits - 1 - exponent);
    }
    int thousands = Math.min(exponent / 3, LARGE.length - 1);
    if (thousands <= 0 || exponent - 3 * thousands > 5) {
      return String.format(Locale.ROOT, "%." + (digits - 1) + "e", value).replace('-', '−');
    }
    BigDecimal scaled = rounded.movePointLeft(3 * thousands);
    return decimal(scaled, Math.max(0, digits - 1 - (exponent - 3 * thousands))) + LARGE[thousands];
  }

  /** All digits before the point, thousands set apart: {@code 46,474}. */
  public static String whole(double value) {
    return minus(String.format(Locale.ROOT, "%,d", Math.round(value)));
  }

  /** A fixed number of decimals: {@code 64.47}. */
  public static String fixed(double value, int decimals) {
    return minus(String.format(Locale.ROOT, "%,." + decimals + "f", value));
  }

  /** A share as a percentage: {@code 0.6447} as {@code 64.5 %}. */
  public static String percent(double share) {
    return fixed(share * 100, 1) + " %";
  }

  /** A ratio: {@code 76.6×}. */
  public static String ratio(double ratio) {
    return shorten(ratio) + "×";
  }

  /** {@code 226 k [210 k, 243 k]}, or the value alone where there is no interval. */
  public static String estimate(Estimate estimate) {
    String value = shorten(estimate.value());
    return estimate.hasInterval() ? value + " " + interval(estimate) : value;
  }

  /** The same with its unit. */
  public static String estimateWithUnit(Estimate estimate) {
    return estimate.unit().isEmpty()
        ? estimate(estimate)
        : estimate(estimate) + " " + estimate.unit();
  }

  /** {@code 2.1× [1.9×, 2.3×]}. */
  public static String ratio(Estimate ratio) {
    String value = ratio(ratio.value());
    return ratio.hasInterval()
        ? value + " [" + ratio(ratio.low()) + ", " + ratio(ratio.high()) + "]"
        : value;
  }

  /** {@code [210 k, 243 k]}; a dash where there is none. */
  public static String interval(Estimate estimate) {
    return estimate.hasInterval()
        ? "[" + shorten(estimate.low()) + ", " + shorten(estimate.high()) + "]"
        : "–";
  }

  /** A time given in microseconds, in the unit that suits it: {@code 1.25 ms}. */
  public static String micros(double micros) {
    double size = Math.abs(micros);
    if (size >= 1e6) {
      return shorten(micros / 1e6) + " s";
    }
    return size >= 1e3 ? shorten(micros / 1e3) + " ms" : shorten(micros) + " µs";
  }

  private static String decimal(BigDecimal value, int decimals) {
    BigDecimal shown = value.setScale(Math.max(0, decimals), RoundingMode.HALF_EVEN);
    if (shown.scale() > 0) {
      shown = shown.stripTrailingZeros();
    }
    return minus(shown.scale() < 0 ? shown.setScale(0).toPlainString() : shown.toPlainString());
  }

  private static String minus(String figure) {
    return figure.replace('-', '−');
  }
}
