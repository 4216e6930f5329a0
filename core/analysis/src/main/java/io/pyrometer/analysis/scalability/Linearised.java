package io.pyrometer.analysis.scalability;

import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * The fit as a straight plane at its solution: (JᵀJ)⁻¹·RSS/(n−p). Parameters at a bound are known,
 * and have neither error nor covariance.
 *
 * @param condition the ratio of the largest singular value of the column-scaled Jacobian to the
 *     least
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record Linearised(double[][] covariance, double[] standardErrors, double condition) {
  /** A condition so bad that it can only be said to be bad. */
  private static final double WORST = 1e12;

  static Linearised at(double[][] jacobian, Solution best, double[] lower, int df) {
    int p = best.theta().length + 1;
    int[] open =
        IntStream.range(0, p).filter(k -> k == 0 || best.theta()[k - 1] > lower[k - 1]).toArray();
    double[] lengths = new double[p];
    double[][] scaled = new double[jacobian.length][open.length];
    for (int c = 0; c < open.length; c++) {
      lengths[open[c]] = length(jacobian, open[c]);
      for (int i = 0; i < jacobian.length; i++) {
        scaled[i][c] = jacobian[i][open[c]] / lengths[open[c]];
      }
    }
    SingularValueDecomposition svd =
        new SingularValueDecomposition(new Array2DRowRealMatrix(scaled, false));
    RealMatrix inverse = svd.getCovariance(1 / WORST);
    double variance = best.rss() / df;
    double[][] covariance = new double[p][p];
    double[] errors = new double[p];
    for (int a = 0; a < open.length; a++) {
      for (int b = 0; b < open.length; b++) {
        covariance[open[a]][open[b]] =
            variance * inverse.getEntry(a, b) / (lengths[open[a]] * lengths[open[b]]);
      }
      errors[open[a]] = Math.sqrt(covariance[open[a]][open[a]]);
    }
    double condition = svd.getConditionNumber();
    return new Linearised(covariance, errors, condition < WORST ? condition : WORST);
  }

  /**
   * What each point weighs in the level.
   *
   * @param variance of a residual, as the covariance was made with
   */
  double[] weights(double[][] jacobian, double variance) {
    double[] weights = new double[jacobian.length];
    for (int i = 0; i < weights.length; i++) {
      for (int k = 0; k < covariance.length; k++) {
        weights[i] += variance > 0 ? covariance[0][k] / variance * jacobian[i][k] : 0;
      }
    }
    return weights;
  }

  private static double length(double[][] jacobian, int column) {
    double squares = 0;
    for (double[] row : jacobian) {
      squares += row[column] * row[column];
    }
    return squares > 0 ? Math.sqrt(squares) : 1;
  }
}
