package io.pyrometer.analysis;

import java.util.Arrays;

/** Checks and sums over arrays of figures, shared by all analyses. */
public final class Samples {
  /** No measurement is larger; squares and their sums stay far from overflow. */
  private static final double LARGEST = 1e100;

  /** No measurement other than 0 is smaller. */
  private static final double SMALLEST = 1e-100;

  /** A third of the smallest relevant difference, and visible in four digits. */
  private static final double MATERIAL = 0.01;

  private Samples() {}

  /**
   * True where a figure can be a measurement: finite, and 0 or of a size between 1e−100 and 1e100.
   */
  public static boolean usable(double figure) {
    double size = Math.abs(figure);
    return size == 0 || (size >= SMALLEST && size <= LARGEST);
  }

  /**
   * Gives {@code values} back if there are at least {@code atLeast} and all are {@link #usable}.
   *
   * @param what names the figures in the sentence, for example {@code throughput}
   * @throws BadDataException otherwise
   */
  public static double[] checked(double[] values, int atLeast, String what) {
    if (values.length < atLeast) {
      throw BadDataException.of(
          "There %s of %s where at least %d are needed; run more.",
          values.length == 1 ? "is 1 value" : "are " + values.length + " values", what, atLeast);
    }
    for (int i = 0; i < values.length; i++) {
      if (!usable(values[i])) {
        throw BadDataException.of(
            "Value %d of %s is %s, which is no measurement; remove or repeat that trial.",
            i + 1, what, values[i]);
      }
    }
    return values;
  }

  /** As {@link #checked}, and every value above 0, since ratios are analysed on logarithms. */
  public static double[] positive(double[] values, int atLeast, String what) {
    checked(values, atLeast, what);
    for (int i = 0; i < values.length; i++) {
      if (values[i] <= 0) {
        throw BadDataException.of(
            "Value %d of %s is %s, and ratios need values above 0; remove or repeat that trial.",
            i + 1, what, Figures.plain(values[i]));
      }
    }
    return values;
  }

  /**
   * True where two figures differ by 1 % or more of the larger. Values that agree to many digits
   * make any difference in the last ones significant; one that is not seen in the figures of a
   * sentence is no outlier.
   */
  public static boolean differMaterially(double value, double expected) {
    double larger = Math.max(Math.abs(value), Math.abs(expected));
    return Math.abs(value - expected) >= MATERIAL * larger && larger > 0;
  }

  /** The arithmetic mean of at least one value. */
  public static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  /** The sample variance, with n−1, of at least two values. */
  public static double variance(double[] values) {
    return sumOfSquares(values) / (values.length - 1);
  }

  /** The sum of the squared distances from the mean. */
  public static double sumOfSquares(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
  }

  /** The median: of an even number of values, the mean of the middle two. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The natural logarithm of each value. */
  public static double[] ln(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }
}
