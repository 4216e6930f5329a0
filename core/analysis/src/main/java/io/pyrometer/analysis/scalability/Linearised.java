package io.pyrometer.analysis.scalability;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/**
 * The fit as a straight plane at its solution: the covariance (JᵀJ)⁻¹·RSS/(n−p) of the parameters
 * is F·Fᵀ. The factor F is numerically stable where parameters are nearly collinear. Parameters at
 * a bound are known, and have neither error nor covariance.
 *
 * @param factor F, a row for each parameter
 * @param condition the ratio of the largest singular value of the column-scaled Jacobian to the
 *     least
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record Linearised(double[][] factor, double condition) {
  /** A condition so bad that it can only be said to be bad. */
  private static final double WORST = 1e12;

  /**
   * Of the parameters that do not lie at their bound.
   *
   * @param sd of a residual
   */
  static Linearised at(RealMatrix jacobian, double[] solution, double[] lower, double sd) {
    int[] open = IntStream.range(0, solution.length).filter(k -> solution[k] > lower[k]).toArray();
    double[] lengths = new double[open.length];
    RealMatrix scaled = new Array2DRowRealMatrix(jacobian.getRowDimension(), open.length);
    for (int c = 0; c < open.length; c++) {
      double norm = jacobian.getColumnVector(open[c]).getNorm();
      lengths[c] = norm > 0 ? norm : 1;
      scaled.setColumnVector(c, jacobian.getColumnVector(open[c]).mapDivide(lengths[c]));
    }
    SingularValueDecomposition svd = new SingularValueDecomposition(scaled);
    double[] singular = svd.getSingularValues();
    double[][] factor = new double[solution.length][singular.length];
    for (int a = 0; a < open.length; a++) {
      for (int e = 0; e < singular.length; e++) {
        boolean independent = singular[e] >= 1 / WORST;
        factor[open[a]][e] =
            independent ? sd * svd.getV().getEntry(a, e) / (singular[e] * lengths[a]) : 0;
      }
    }
    return new Linearised(factor, Math.min(svd.getConditionNumber(), WORST));
  }

  /** Fᵀg for the gradient of a function of the parameters: the root of its squares is the error. */
  private double[] along(double[] gradient) {
    double[] along = new double[factor[0].length];
    for (int k = 0; k < gradient.length; k++) {
      for (int e = 0; e < along.length; e++) {
        along[e] += gradient[k] * factor[k][e];
      }
    }
    return along;
  }

  /** Of a function of the parameters, by its gradient. */
  double standardError(double[] gradient) {
    return Math.sqrt(Arrays.stream(along(gradient)).map(a -> a * a).sum());
  }

  /** The covariance of the level with a function of the parameters. */
  double covarianceOfLevel(double[] gradient) {
    double[] along = along(gradient);
    return IntStream.range(0, along.length).mapToDouble(e -> factor[0][e] * along[e]).sum();
  }

  double standardError(int parameter) {
    return Math.sqrt(Arrays.stream(factor[parameter]).map(f -> f * f).sum());
  }
}
