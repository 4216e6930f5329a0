package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import java.util.Arrays;

/**
 * The change of a figure over the length of one long measurement: least squares of ln y on time,
 * with an error that counts how much neighbouring slices resemble each other.
 */
public final class LinearTrend {
  /** Fewer slices tell the trend from their own resemblance too badly. */
  public static final int LEAST_SLICES = 30;

  private LinearTrend() {}

  /**
   * The last slice against the first along the line.
   *
   * @param values one a slice of equal length, in order of time, all above 0
   * @param confidence between 0 and 1
   * @return a ratio without unit; its replicates are the slices
   * @throws BadDataException if there are fewer than {@link #LEAST_SLICES}, or one is not above 0
   */
  public static Estimate endToBegin(double[] values, double confidence) {
    int n = values.length;
    if (n < LEAST_SLICES || Arrays.stream(values).anyMatch(value -> !(value > 0))) {
      throw BadDataException.of(
          "A trend needs %d slices of time with a figure above 0, and here are %d; measure for"
              + " longer.",
          LEAST_SLICES, Arrays.stream(values).filter(value -> value > 0).count());
    }
    Line line = Line.through(Samples.ln(values));
    double squares = Arrays.stream(line.residuals()).map(r -> r * r).sum();
    double inflation = Line.inflation(line.residuals(), 2);
    double error = Math.sqrt(squares / (n - 2) * inflation / line.squares()) * (n - 1);
    return new Contrast(line.slope() * (n - 1), error, Math.max(2, (n - 2) / inflation))
        .estimate(confidence, n, "")
        .exp();
  }
}
