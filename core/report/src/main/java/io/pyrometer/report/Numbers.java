package io.pyrometer.report;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.protocol.message.Value;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Numbers as tables and charts show them: three significant digits, thousands as k, M, G, an
 * interval in brackets.
 */
public final class Numbers {
  private static final String TOO_FEW = "too few blocks";
  private static final int DIGITS = 3;

  private Numbers() {}

  /** {@code 226431} as {@code 226 k}, {@code 0.077497} as {@code 0.0775}. */
  public static String shorten(double value) {
    return shorten(value, DIGITS);
  }

  /** A number with this many significant digits. */
  public static String shorten(double value, int digits) {
    return Value.shorten(value, digits, Math.abs(value));
  }

  /**
   * All digits before the point, thousands set apart: {@code 46,474}; below a thousand four
   * significant ones, so that a small response keeps its digits: {@code 1.89}.
   */
  public static String whole(double value) {
    if (Math.abs(value) < 1000) {
      return shorten(value, 4);
    }
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
    if (estimate.tooWide()) {
      return tooFew(shorten(estimate.value()));
    }
    String value = Value.shorten(estimate.value(), DIGITS, size(estimate));
    return estimate.hasInterval() ? value + " " + interval(estimate) : value;
  }

  private static String tooFew(String value) {
    return value + " [" + TOO_FEW + "]";
  }

  /** An estimate with its unit. */
  public static String estimateWithUnit(Estimate estimate) {
    String unit = estimate.unit().isEmpty() ? "" : " " + estimate.unit();
    return estimate.tooWide()
        ? tooFew(shorten(estimate.value()) + unit)
        : estimate(estimate) + unit;
  }

  /** {@code 2.1× [1.9×, 2.3×]}. */
  public static String ratio(Estimate ratio) {
    return withInterval(ratio, Numbers::ratio);
  }

  /** A value with its interval, each in a form: {@code 1.2 ms [1.1 ms, 1.3 ms]}. */
  public static String withInterval(Estimate estimate, DoubleFunction<String> form) {
    String value = form.apply(estimate.value());
    if (estimate.tooWide()) {
      return tooFew(value);
    }
    return estimate.hasInterval()
        ? "%s [%s, %s]".formatted(value, form.apply(estimate.low()), form.apply(estimate.high()))
        : value;
  }

  /**
   * {@code [210 k, 243 k]}; a dash where there is none, words where it is too wide to be of use.
   */
  public static String interval(Estimate estimate) {
    if (estimate.tooWide()) {
      return TOO_FEW;
    }
    double size = size(estimate);
    return estimate.hasInterval()
        ? "[%s, %s]"
            .formatted(
                Value.shorten(estimate.low(), DIGITS, size),
                Value.shorten(estimate.high(), DIGITS, size))
        : Table.ABSENT;
  }

  private static double size(Estimate estimate) {
    return Math.max(Math.abs(estimate.low()), Math.abs(estimate.high()));
  }

  /** A time given in microseconds, in the unit that suits it: {@code 1.25 ms}. */
  public static String micros(double micros) {
    return Value.micros(micros).text();
  }

  private static String minus(String figure) {
    return figure.replace('-', '−');
  }
}
