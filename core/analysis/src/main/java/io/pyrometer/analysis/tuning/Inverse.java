package io.pyrometer.analysis.tuning;

/**
 * The inverse of a covariance matrix; on plain arrays, because a search takes thousands of them.
 */
final class Inverse {
  private Inverse() {}

  /**
   * The inverse of a symmetric positive definite matrix, by its Cholesky factor.
   *
   * @param v of which the lower triangle is read, and overwritten
   */
  static double[][] of(double[][] v) {
    int n = v.length;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = v[i][j];
        for (int k = 0; k < j; k++) {
          sum -= v[i][k] * v[j][k];
        }
        v[i][j] = i == j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / v[j][j];
      }
    }
    // Row i of the factor's inverse, transposed so that the loops below run along rows.
    double[][] factor = new double[n][n];
    for (int column = 0; column < n; column++) {
      double[] x = factor[column];
      x[column] = 1 / v[column][column];
      for (int i = column + 1; i < n; i++) {
        double sum = 0;
        for (int k = column; k < i; k++) {
          sum -= v[i][k] * x[k];
        }
        x[i] = sum / v[i][i];
      }
    }
    double[][] inverse = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = i; k < n; k++) {
          sum += factor[i][k] * factor[j][k];
        }
        inverse[i][j] = sum;
        inverse[j][i] = sum;
      }
    }
    return inverse;
  }

  static double[] times(double[][] matrix, double[] vector) {
    double[] product = new double[vector.length];
    for (int i = 0; i < vector.length; i++) {
      double sum = 0;
      for (int j = 0; j < vector.length; j++) {
        sum += matrix[i][j] * vector[j];
      }
      product[i] = sum;
    }
    return product;
  }
}
