package io.pyrometer.analysis.mixed;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.RealMatrix;

/** The few operations on dense matrices that the models need besides the library's. */
public final class Matrices {
  /** Columns whose part outside of the others is less than a hundred thousandth are dependent. */
  private static final double DEPENDENT = 1e-10;

  private Matrices() {}

  static CholeskyDecomposition cholesky(RealMatrix symmetric) {
    return new CholeskyDecomposition(symmetrized(symmetric), 1e-6, 0);
  }

  /** Rounding leaves products not quite symmetric, where their entries should be 0 above all. */
  static RealMatrix symmetrized(RealMatrix matrix) {
    return matrix.add(matrix.transpose()).scalarMultiply(0.5);
  }

  static boolean positive(RealMatrix symmetric) {
    try {
      return logDeterminant(cholesky(symmetric)) > Double.NEGATIVE_INFINITY;
    } catch (MathRuntimeException notPositive) {
      return false;
    }
  }

  static double logDeterminant(CholeskyDecomposition decomposition) {
    RealMatrix l = decomposition.getL();
    return IntStream.range(0, l.getRowDimension())
        .mapToDouble(i -> 2 * Math.log(l.getEntry(i, i)))
        .sum();
  }

  /** X'X. */
  public static double[][] gram(double[][] x) {
    int p = x[0].length;
    double[][] sums = new double[p][p];
    for (double[] row : x) {
      for (int a = 0; a < p; a++) {
        for (int b = 0; row[a] != 0 && b < p; b++) {
          sums[a][b] += row[a] * row[b];
        }
      }
    }
    return sums;
  }

  /** The number of independent columns of X, from X'X. */
  public static int rank(double[][] xx) {
    RealMatrix gram = new Array2DRowRealMatrix(xx, true);
    double[] scale = new double[xx.length];
    for (int c = 0; c < scale.length; c++) {
      double norm = Math.sqrt(gram.getEntry(c, c));
      scale[c] = norm > 0 ? 1 / norm : 0;
    }
    double[] eigenvalues =
        new EigenDecompositionSymmetric(scaled(gram, scale, scale)).getEigenvalues();
    return (int) Arrays.stream(eigenvalues).filter(e -> e > DEPENDENT).count();
  }

  /**
   * The sum of squares that ordinary least squares explains; columns may depend on each other.
   *
   * @param xx X'X
   * @param xy X'y
   */
  public static double squaresExplained(double[][] xx, double[] xy) {
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

  /** X'y. */
  static double[] times(double[][] x, double[] y) {
    double[] sums = new double[x[0].length];
    for (int i = 0; i < y.length; i++) {
      for (int a = 0; a < sums.length; a++) {
        sums[a] += x[i][a] * y[i];
      }
    }
    return sums;
  }

  /** I + ΛKΛ. */
  static RealMatrix identityPlus(RealMatrix k, double[] lambda) {
    RealMatrix m = scaled(k, lambda, lambda);
    for (int i = 0; i < lambda.length; i++) {
      m.addToEntry(i, i, 1);
    }
    return m;
  }

  /** Row i times left[i], column j times right[j]. */
  static RealMatrix scaled(RealMatrix matrix, double[] left, double[] right) {
    double[][] scaled = matrix.getData();
    for (int i = 0; i < left.length; i++) {
      for (int j = 0; j < right.length; j++) {
        scaled[i][j] *= left[i] * right[j];
      }
    }
    return new Array2DRowRealMatrix(scaled, false);
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
