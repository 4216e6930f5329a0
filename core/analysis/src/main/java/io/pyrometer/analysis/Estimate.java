package io.pyrometer.analysis;

import java.util.function.DoubleUnaryOperator;

/**
 * A value with its interval and the number of replicates behind it: never a bare number, never NaN,
 * never infinite. {@code low <= value <= high}, all in {@code unit} (empty for a pure number).
 *
 * <p>A value of one block has no interval. It is told apart by {@code confidence == 0} (an interval
 * of confidence 0 is the point itself); see {@link #hasInterval()}.
 *
 * @param confidence the interval's confidence, 0.95 for 95 %; 0 where there is no interval
 * @param replicates how many independent replicates it rests on, at least 1
 */
public record Estimate(
    double value, double low, double high, double confidence, int replicates, String unit) {

  /** The confidence of intervals unless another is stated. */
  public static final double CONFIDENCE = 0.95;

  /** From one end to so many times it an interval says nothing. */
  public static final double WIDEST = 20;

  /** Throws {@link BadDataException} if a figure is not finite or the interval misses the value. */
  public Estimate {
    if (!Double.isFinite(value) || !Double.isFinite(low) || !Double.isFinite(high)) {
      throw BadDataException.of(
          "An estimate came out as %s in [%s, %s], because the figures behind it are too large, too"
              + " small or degenerate; look at them.",
          value, low, high);
    }
    if (low > value || value > high) {
      throw BadDataException.of("The interval [%s, %s] does not hold %s.", low, high, value);
    }
    if (!(confidence >= 0 && confidence < 1) || replicates < 1) {
      throw BadDataException.of(
          "An estimate cannot have confidence %s with %d replicates.", confidence, replicates);
    }
  }

  /** A value of one block, without an interval. */
  public static Estimate unreplicated(double value, String unit) {
    return new Estimate(value, value, value, 0, 1, unit);
  }

  /** True where there is an interval. */
  public boolean hasInterval() {
    return confidence > 0;
  }

  /** True where the interval, bounds included, holds {@code x}. */
  public boolean contains(double x) {
    return low <= x && x <= high;
  }

  /**
   * True where the interval of a figure that cannot be negative spans more than a factor of {@value
   * #WIDEST}: it says only that there are too few replicates, so that it is not printed.
   */
  public boolean tooWide() {
    return hasInterval() && low >= 0 && high > WIDEST * (low > 0 ? low : value);
  }

  /** Half the width of the interval, in {@code unit}. */
  public double halfWidth() {
    return (high - low) / 2;
  }

  /** The estimate of a monotonic function of the figure. */
  public Estimate map(DoubleUnaryOperator function, String newUnit) {
    double a = function.applyAsDouble(low);
    double b = function.applyAsDouble(high);
    return new Estimate(
        function.applyAsDouble(value),
        Math.min(a, b),
        Math.max(a, b),
        confidence,
        replicates,
        newUnit);
  }

  /** The estimate in another unit: every figure times {@code factor}, which is not 0. */
  public Estimate times(double factor, String newUnit) {
    return map(figure -> figure * factor, newUnit);
  }

  /**
   * The ratio that an estimate of a logarithm is of, its interval with it; without a unit. A bound
   * beyond the range of doubles, as few degrees of freedom give, is the largest of them, so that
   * the interval is {@link #tooWide()}.
   */
  public Estimate exp() {
    return map(log -> Math.min(Math.exp(log), Double.MAX_VALUE), "");
  }
}
