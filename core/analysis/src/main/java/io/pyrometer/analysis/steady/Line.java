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
}
