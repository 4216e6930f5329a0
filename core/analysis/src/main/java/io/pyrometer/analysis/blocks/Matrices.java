package io.pyrometer.analysis.blocks;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.RealMatrix;

/** The few operations on dense matrices that the models need besides the library's. */
public final class Matrices {
  /** Columns whose part outside of the others is less than a hundred thousandth are dependent. */
  private static final double DEPENDENT = 1e-10;

  private Matrices() {}

  static RealMatrix inverse(RealMatrix symmetric) {
    return new CholeskyDecomposition(symmetrized(symmetric), 1e-6, 0).getSolver().getInverse();
  }

  /** Rounding leaves products not quite symmetric, where their entries should be 0 above all. */
  static RealMatrix symmetrized(RealMatrix matrix) {
    return matrix.add(matrix.transpose()).scalarMultiply(0.5);
  }

  /** X'X. */
  public static double[][] gram(double[][] x) {
    RealMatrix matrix = new Array2DRowRealMatrix(x, false);
    return matrix.transposeMultiply(matrix).getData();
  }

  /** The number of independent columns of X, from X'X. */
  public static int rank(double[][] xx) {
    int p = xx.length;
    if (isDiagonal(xx)) {
      return (int) IntStream.range(0, p).filter(a -> xx[a][a] > 0).count();
    }
    double[][] scaled = new double[p][p];
    for (int a = 0; a < p; a++) {
      for (int b = 0; b < p; b++) {
        double norm = Math.sqrt(xx[a][a]) * Math.sqrt(xx[b][b]);
        scaled[a][b] = norm > 0 ? xx[a][b] / norm : 0;
      }
    }
    double[] eigenvalues =
        new EigenDecompositionSymmetric(new Array2DRowRealMatrix(scaled, false)).getEigenvalues();
    return (int) Arrays.stream(eigenvalues).filter(e -> e > DEPENDENT).count();
  }

  /**
   * The sum of squares that ordinary least squares explains; columns may depend on each other.
   *
   * @param xx X'X
   * @param xy X'y
   */
  public static double squaresExplained(double[][] xx, double[] xy) {
    if (isDiagonal(xx)) {
      double explained = 0;
      for (int a = 0; a < xy.length; a++) {
        explained += xx[a][a] > 0 ? xy[a] * xy[a] / xx[a][a] : 0;
      }
      return explained;
    }
    EigenDecompositionSymmetric gram =
        new EigenDecompositionSymmetric(new Array2DRowRealMatrix(xx, false));
    double[] eigenvalues = gram.getEigenvalues();
    double largest = Arrays.stream(eigenvalues).max().orElse(0);
    double explained = 0;
    for (int e = 0; e < eigenvalues.length; e++) {
      if (eigenvalues[e] > DEPENDENT * largest) {
        double along = dot(gram.getEigenvector(e).toArray(), xy);
        explained += along * along / eigenvalues[e];
      }
    }
    return explained;
  }

  private static boolean isDiagonal(double[][] matrix) {
    for (int a = 0; a < matrix.length; a++) {
      for (int b = 0; b < a; b++) {
        if (matrix[a][b] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
