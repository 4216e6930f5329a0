package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.util.MathArrays;

/**
 * The restricted likelihood of a mixed model at one set of ratios ρₖ = σₖ²/σ², profiled over β and
 * σ², and what follows from it; variances are in units of σ².
 */
final class ProfiledLikelihood {
  /** Below this share of the total squares the residual is rounding, not noise. */
  private static final double ROUNDING = 1e-24;

  private final CrossProducts products;

  /** Degrees of freedom of the residual. */
  private final int free;

  final double[] ratios;

  /** M⁻¹, M = I + ΛZ'ZΛ with Λ² = diag(ρ). */
  final RealMatrix inverse;

  /** C = (X'V⁻¹X)⁻¹. */
  final RealMatrix covariance;

  final double[] beta;

  /** W = Z'V⁻¹X. */
  final RealMatrix w;

  /** G = Z'PZ. */
  final RealMatrix g;

  /** r = Z'Py. */
  final double[] r;

  /** y'Py. */
  final double squares;

  final double variance;

  /** −2 times the restricted log likelihood. */
  final double deviance;

  /**
   * @param products of what ordinary least squares leaves of y, and of X and Z
   * @param start the coefficients of ordinary least squares
   * @param free degrees of freedom of the residual
   */
  ProfiledLikelihood(CrossProducts products, double[] start, int free, double[] ratios) {
    this.products = products;
    this.free = free;
    this.ratios = ratios;
    double[] lambda = products.lambda(ratios);
    RealMatrix k = products.zz;
    CholeskyDecomposition m = Matrices.cholesky(Matrices.identityPlus(k, lambda));
    inverse = m.getSolver().getInverse();
    // ΛM⁻¹Λ
    RealMatrix inner = Matrices.scaled(inverse, lambda, lambda);
    RealMatrix zxInner = inner.multiply(products.zx);
    RealMatrix xvx = products.xx.subtract(products.zx.transposeMultiply(zxInner));
    double[] zyInner = inner.operate(products.zy);
    double[] xvy = MathArrays.ebeSubtract(products.xy, products.zx.preMultiply(zyInner));
    CholeskyDecomposition fixed = Matrices.cholesky(xvx);
    covariance = fixed.getSolver().getInverse();
    double[] change = covariance.operate(xvy);
    beta = MathArrays.ebeAdd(start, change);
    w = products.zx.subtract(k.multiply(zxInner));
    double yvy = products.yy - Matrices.dot(products.zy, zyInner);
    squares = Math.max(yvy - Matrices.dot(change, xvy), ROUNDING * products.total);
    variance = squares / free;
    r =
        MathArrays.ebeSubtract(
            MathArrays.ebeSubtract(products.zy, k.operate(zyInner)), w.operate(change));
    g = zvz(k, inner, lambda).subtract(w.multiply(covariance).multiplyTransposed(w));
    deviance =
        Matrices.logDeterminant(m)
            + Matrices.logDeterminant(fixed)
            + free * (1 + Math.log(2 * Math.PI * variance));
  }

  /**
   * Z'V⁻¹Z = K − KΛM⁻¹ΛK, which equals Λ⁻¹(I − M⁻¹)Λ⁻¹; of the two forms the second keeps its
   * digits where ρ is not small.
   */
  private RealMatrix zvz(RealMatrix k, RealMatrix inner, double[] lambda) {
    RealMatrix first = k.subtract(k.multiply(inner).multiply(k));
    for (int i = 0; i < lambda.length; i++) {
      for (int j = 0; j < lambda.length; j++) {
        if (lambda[i] > 0.3 && lambda[j] > 0.3) {
          double unit = i == j ? 1 : 0;
          first.setEntry(i, j, (unit - inverse.getEntry(i, j)) / (lambda[i] * lambda[j]));
        }
      }
    }
    return first;
  }

  /** Of the deviance by ρₖ. */
  double gradient(int k) {
    return trace(k) - score(k) / variance;
  }

  /** How far the derivatives by ln ρ are from those of a minimum. */
  double steepness() {
    return IntStream.range(0, ratios.length)
        .mapToDouble(k -> Math.abs(ratios[k] * gradient(k)))
        .max()
        .orElse(0);
  }

  /** Of the deviance by ρᵢ and ρⱼ; or its average information, which is never negative. */
  double curvature(int i, int j, boolean exact) {
    double data = bilinear(i, j) / variance;
    double profiled = score(i) * score(j) / (variance * variance * free);
    return (exact ? 2 * data - traceOfProduct(i, j) : data) - profiled;
  }

  /** tr(PVₖ). */
  double trace(int k) {
    double sum = 0;
    for (int a = products.from(k); a < products.to(k); a++) {
      sum += g.getEntry(a, a);
    }
    return sum;
  }

  /** tr(PVᵢPVⱼ). */
  double traceOfProduct(int i, int j) {
    double sum = 0;
    for (int a = products.from(i); a < products.to(i); a++) {
      for (int b = products.from(j); b < products.to(j); b++) {
        sum += g.getEntry(a, b) * g.getEntry(a, b);
      }
    }
    return sum;
  }

  /** y'PVₖPy. */
  double score(int k) {
    double sum = 0;
    for (int a = products.from(k); a < products.to(k); a++) {
      sum += r[a] * r[a];
    }
    return sum;
  }

  /** y'PVᵢPVⱼPy. */
  double bilinear(int i, int j) {
    double sum = 0;
    for (int a = products.from(i); a < products.to(i); a++) {
      for (int b = products.from(j); b < products.to(j); b++) {
        sum += r[a] * g.getEntry(a, b) * r[b];
      }
    }
    return sum;
  }

  /**
   * The covariance of the estimated variances, of some effects in their order and then σ²: twice
   * the inverse of the second derivatives of the criterion by them. Terms of σ² follow from those
   * of the others, as V is the sum of its parts and PVP = P.
   */
  double[][] covarianceOfVariances(int[] active) {
    for (boolean observed : new boolean[] {true, false}) {
      RealMatrix information = new Array2DRowRealMatrix(information(active, observed), false);
      if (Matrices.positive(information)) {
        return Matrices.cholesky(information).getSolver().getInverse().scalarMultiply(2).getData();
      }
    }
    double[][] residualAlone = new double[active.length + 1][active.length + 1];
    residualAlone[active.length][active.length] = 2 * variance * variance / free;
    return residualAlone;
  }

  private double[][] information(int[] active, boolean observed) {
    double[][] traces = withResidual(active, this::traceOfProduct, this::trace, free);
    double[][] data = withResidual(active, this::bilinear, this::score, squares);
    double[][] information = new double[traces.length][traces.length];
    for (int i = 0; i < traces.length; i++) {
      for (int j = 0; j < traces.length; j++) {
        double each = observed ? 2 * data[i][j] / variance - traces[i][j] : traces[i][j];
        information[i][j] = each / (variance * variance);
      }
    }
    return information;
  }

  private interface OfPair {
    double of(int i, int j);
  }

  /**
   * A bilinear form of effects with the residual as the last: from its values for pairs of effects,
   * for each effect with all of V, and for V with itself.
   */
  private double[][] withResidual(int[] active, OfPair pairs, IntToDoubleFunction one, double all) {
    int e = active.length;
    double[][] form = new double[e + 1][e + 1];
    form[e][e] = all;
    for (int i = 0; i < e; i++) {
      form[i][e] = one.applyAsDouble(active[i]);
      form[e][e] -= ratios[active[i]] * form[i][e];
      for (int j = 0; j < e; j++) {
        form[i][j] = pairs.of(active[i], active[j]);
        form[i][e] -= ratios[active[j]] * form[i][j];
      }
      form[e][i] = form[i][e];
    }
    for (int i = 0; i < e; i++) {
      form[e][e] -= ratios[active[i]] * form[i][e];
    }
    return form;
  }

  /** The sums of products of a model's columns, which are all that fitting needs of the data. */
  static final class CrossProducts {
    final RealMatrix xx;
    final RealMatrix zx;
    final RealMatrix zz;
    final double[] xy;
    final double[] zy;
    final double yy;

    /** Σ(y−ȳ)². */
    final double total;

    /** The column of Z that each random effect's first group has; then the number of columns. */
    private final int[] offsets;

    CrossProducts(double[] y, double[][] x, List<MixedModel.Grouping> random) {
      int[][] columns = new int[random.size()][];
      offsets = new int[random.size() + 1];
      for (int k = 0; k < columns.length; k++) {
        columns[k] = random.get(k).group();
        offsets[k + 1] = offsets[k] + random.get(k).groups();
      }
      int p = x[0].length;
      int q = Math.max(1, offsets[columns.length]); // of no random effect one column of nothing
      double[][] xxSums = new double[p][p];
      double[][] zxSums = new double[q][p];
      double[][] zzSums = new double[q][q];
      xy = new double[p];
      zy = new double[q];
      double squares = 0;
      for (int i = 0; i < y.length; i++) {
        squares += y[i] * y[i];
        int[] used = nonZero(x[i]);
        for (int a : used) {
          xy[a] += x[i][a] * y[i];
          for (int b : used) {
            xxSums[a][b] += x[i][a] * x[i][b];
          }
        }
        for (int k = 0; k < columns.length; k++) {
          int column = offsets[k] + columns[k][i];
          zy[column] += y[i];
          for (int a : used) {
            zxSums[column][a] += x[i][a];
          }
          for (int l = 0; l < columns.length; l++) {
            zzSums[column][offsets[l] + columns[l][i]]++;
          }
        }
      }
      yy = squares;
      total = Samples.sumOfSquares(y);
      xx = new Array2DRowRealMatrix(xxSums, false);
      zx = new Array2DRowRealMatrix(zxSums, false);
      zz = new Array2DRowRealMatrix(zzSums, false);
    }

    /** Columns of treatments and blocks are 0 in most rows. */
    private static int[] nonZero(double[] row) {
      return IntStream.range(0, row.length).filter(a -> row[a] != 0).toArray();
    }

    int from(int effect) {
      return offsets[effect];
    }

    int to(int effect) {
      return offsets[effect + 1];
    }

    /** √ρ of every column of Z. */
    double[] lambda(double[] ratios) {
      double[] lambda = new double[Math.max(1, offsets[ratios.length])];
      for (int k = 0; k < ratios.length; k++) {
        Arrays.fill(lambda, from(k), to(k), Math.sqrt(ratios[k]));
      }
      return lambda;
    }
  }
}
