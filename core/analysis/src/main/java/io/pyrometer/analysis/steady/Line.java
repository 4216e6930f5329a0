package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Samples;
import java.util.Arrays;

/**
 * A least-squares line through values at even times.
 *
 * @param slope from one value to the next
 * @param residuals of the values
 * @param squares of the distances of the times from their middle, summed
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record Line(double slope, double[] residuals, double squares) {
  private static final double MAX_AUTOCORRELATION = 0.9;

  static Line through(double[] values) {
    double centre = (values.length - 1) / 2.0;
    double mean = Samples.mean(values);
    double products = 0;
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      products += (i - centre) * (values[i] - mean);
      squares += (i - centre) * (i - centre);
    }
    double slope = products / squares;
    double[] residuals = new double[values.length];
    Arrays.setAll(residuals, i -> values[i] - mean - slope * (i - centre));
    return new Line(slope, residuals, squares);
  }

  /**
   * By how much the variance of a mean or slope exceeds that of independent values: (1+ρ)/(1−ρ) of
   * a first-order process, at least 1. The estimate of ρ from few values lies below the truth, by
   * about (1 + 3ρ)/n around a mean (Kendall 1954) and (2 + 4ρ)/n around a line, which is added.
   *
   * @param residuals around what was fitted
   * @param fitted 1 for a mean, 2 for a line
   */
  static double inflation(double[] residuals, int fitted) {
    double squares = 0;
    double products = 0;
    for (int i = 0; i < residuals.length; i++) {
      squares += residuals[i] * residuals[i];
      products += i == 0 ? 0 : residuals[i] * residuals[i - 1];
    }
    double rho = squares > 0 ? products / squares : 0;
    rho =
        Math.max(
            0,
            Math.min(
                MAX_AUTOCORRELATION,
                rho + (fitted + (2 + fitted) * Math.max(0, rho)) / residuals.length));
    return (1 + rho) / (1 - rho);
  }
}
