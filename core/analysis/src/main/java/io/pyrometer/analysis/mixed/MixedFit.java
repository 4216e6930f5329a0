package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.RealMatrix;

/**
 * A fitted {@link MixedModel}. Degrees of freedom are Satterthwaite's, from the observed
 * information of the variances (Kuznetsova, Brockhoff and Christensen, lmerTest, Journal of
 * Statistical Software 2017). A variance estimated as 0 takes no part in them.
 */
public final class MixedFit {
  /** Candidates for an outlying value that are judged by a fit of their own. */
  private static final int SUSPECTS = 3;

  /** A value with less of itself left in its residual than this is fitted by itself alone. */
  private static final double ALONE = 1e-8;

  /** A residual of a model that otherwise fits exactly is as far out as can be. */
  private static final double FARTHEST = 1e6;

  private final double[] y;
  private final double[][] x;
  private final List<MixedModel.Grouping> random;
  private final CrossProducts products;
  private final ProfiledLikelihood at;

  private final int swept;

  /** Of each observation, what parameters that were swept out before add to its leverage. */
  private final double[] sweptLeverage;

  /** The group of each observation in each random effect. */
  private final int[][] groups;

  /** The random effects whose variance is above 0. */
  private final int[] active;

  /** The covariance of the estimated variances: of the active ones in their order, then σ². */
  private final double[][] ofVariances;

  MixedFit(
      double[] y,
      double[][] x,
      List<MixedModel.Grouping> random,
      CrossProducts products,
      ProfiledLikelihood at,
      int swept,
      double[] sweptLeverage) {
    this.swept = swept;
    this.sweptLeverage = sweptLeverage;
    this.y = y;
    this.x = x;
    this.random = random;
    this.products = products;
    this.at = at;
    this.groups = random.stream().map(MixedModel.Grouping::group).toArray(int[][]::new);
    this.active = IntStream.range(0, random.size()).filter(k -> at.ratios[k] > 0).toArray();
    this.ofVariances = ofVariances();
  }

  private double free() {
    return y.length - (double) at.beta.length - swept;
  }

  /** The number of observations. */
  public int observations() {
    return y.length;
  }

  /** The estimates of the fixed effects, in the order of the design's columns. */
  public double[] coefficients() {
    return at.beta.clone();
  }

  /** σ², the variance of one value. */
  public double residualVariance() {
    return at.variance;
  }

  /** Random effect to its variance. */
  public Map<String, Double> variances() {
    Map<String, Double> variances = new LinkedHashMap<>();
    for (int k = 0; k < random.size(); k++) {
      variances.put(random.get(k).name(), at.ratios[k] * at.variance);
    }
    return Collections.unmodifiableMap(variances);
  }

  /** −2 times the restricted log likelihood. */
  public double criterion() {
    return at.deviance;
  }

  /** Estimates Σ weights·β. */
  public Contrast contrast(double[] weights) {
    if (weights.length != at.beta.length) {
      throw BadDataException.of(
          "A contrast of %d weights does not fit a model of %d parameters.",
          weights.length, at.beta.length);
    }
    double[] c = at.covariance.operate(weights);
    double unit = Math.max(0, Matrices.dot(weights, c));
    double variance = at.variance * unit;
    return new Contrast(
        Matrices.dot(weights, at.beta), Math.sqrt(variance), degreesOfFreedom(c, unit));
  }

  /** Σ weights·β of one column. */
  public Contrast coefficient(int column) {
    double[] weights = new double[at.beta.length];
    weights[column] = 1;
    return contrast(weights);
  }

  private double degreesOfFreedom(double[] c, double unit) {
    int last = active.length;
    double[] gradient = new double[last + 1];
    gradient[last] = unit;
    for (int i = 0; i < last; i++) {
      gradient[i] = squares(at.w.operate(c), active[i]);
      gradient[last] -= at.ratios[active[i]] * gradient[i];
    }
    double variance = 0;
    for (int i = 0; i <= last; i++) {
      variance += gradient[i] * Matrices.dot(ofVariances[i], gradient);
    }
    double most = free();
    double df = 2 * at.variance * at.variance * unit * unit / variance;
    return df > 0 ? df : most;
  }

  private double squares(double[] ofGroups, int effect) {
    double sum = 0;
    for (int a = products.from(effect); a < products.to(effect); a++) {
      sum += ofGroups[a] * ofGroups[a];
    }
    return sum;
  }

  /**
   * Twice the inverse of the second derivatives of the criterion by the variances. Terms of σ²
   * follow from those of the others, as V is the sum of its parts and PVP = P.
   */
  private double[][] ofVariances() {
    for (boolean observed : new boolean[] {true, false}) {
      RealMatrix information = new Array2DRowRealMatrix(information(observed), false);
      if (Matrices.positive(information)) {
        return Matrices.cholesky(information).getSolver().getInverse().scalarMultiply(2).getData();
      }
    }
    double[][] residualAlone = new double[active.length + 1][active.length + 1];
    residualAlone[active.length][active.length] = 2 * at.variance * at.variance / free();
    return residualAlone;
  }

  private double[][] information(boolean observed) {
    int e = active.length;
    double free = free();
    double[][] traces = new double[e + 1][e + 1];
    double[][] data = new double[e + 1][e + 1];
    double trace = free;
    double score = at.squares;
    for (int i = 0; i < e; i++) {
      double rho = at.ratios[active[i]];
      trace -= rho * at.trace(active[i]);
      score -= rho * at.score(active[i]);
      traces[i][e] = at.trace(active[i]);
      data[i][e] = at.score(active[i]);
      for (int j = 0; j < e; j++) {
        traces[i][j] = at.traceOfProduct(active[i], active[j]);
        data[i][j] = at.bilinear(active[i], active[j]);
        traces[i][e] -= at.ratios[active[j]] * traces[i][j];
        data[i][e] -= at.ratios[active[j]] * data[i][j];
      }
      traces[e][i] = traces[i][e];
      data[e][i] = data[i][e];
    }
    traces[e][e] = trace;
    data[e][e] = score;
    for (int i = 0; i < e; i++) {
      traces[e][e] -= at.ratios[active[i]] * traces[i][e];
      data[e][e] -= at.ratios[active[i]] * data[i][e];
    }
    double[][] information = new double[e + 1][e + 1];
    for (int i = 0; i <= e; i++) {
      for (int j = 0; j <= e; j++) {
        double each = observed ? 2 * data[i][j] / at.variance - traces[i][j] : traces[i][j];
        information[i][j] = each / (at.variance * at.variance);
      }
    }
    return information;
  }

  /**
   * A test of several combinations at once.
   *
   * @param f the statistic
   * @param numerator how many independent combinations were tested
   * @param denominator its degrees of freedom
   */
  public record Test(double f, int numerator, double denominator, double p) {}

  /** Tests that every row of weights gives 0 (Fai and Cornelius's method); rows independent. */
  public Test test(double[][] weights) {
    RealMatrix l = new Array2DRowRealMatrix(weights, true);
    RealMatrix covariance =
        l.multiply(at.covariance).multiplyTransposed(l).scalarMultiply(at.variance);
    RealMatrix directions = eigenvectors(covariance);
    int q = weights.length;
    double f = 0;
    double expected = 0;
    boolean few = false;
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int i = 0; i < q; i++) {
      Contrast each = contrast(l.preMultiply(directions.getColumn(i)));
      double nu = each.degreesOfFreedom();
      f += Math.min(1e100, each.t() * each.t()) / q;
      few |= nu <= 2;
      least = Math.min(least, nu);
      most = Math.max(most, nu);
      expected += nu / (nu - 2);
    }
    double denominator =
        most - least < 1e-8 * most ? most : few ? 2 : 2 * expected / (expected - q);
    double p = 1 - new FDistribution(q, denominator).cumulativeProbability(f);
    return new Test(f, q, denominator, Math.max(0, p));
  }

  private static RealMatrix eigenvectors(RealMatrix covariance) {
    try {
      double largest = Math.max(covariance.getNorm1(), Double.MIN_NORMAL);
      return new EigenDecompositionSymmetric(covariance.scalarMultiply(1 / largest)).getV();
    } catch (MathIllegalStateException e) {
      throw new BadDataException(
          "The responses differ so much in size that their effects cannot be tested together.");
    }
  }

  /** Observed minus fitted by the fixed effects and the predicted random ones. */
  public double[] residuals() {
    double[] left = new double[y.length];
    for (int i = 0; i < y.length; i++) {
      left[i] = y[i] - Matrices.dot(x[i], at.beta);
    }
    double[] effects = randomEffects(left);
    for (int i = 0; i < y.length; i++) {
      for (int column : columns(i)) {
        left[i] -= effects[column];
      }
    }
    return left;
  }

  private int[] columns(int observation) {
    return IntStream.range(0, random.size())
        .map(k -> products.from(k) + groups[k][observation])
        .toArray();
  }

  /** ΛM⁻¹ΛZ'(y − Xβ). */
  private double[] randomEffects(double[] left) {
    double[] lambda = products.lambda(at.ratios);
    double[] sums = new double[lambda.length];
    for (int i = 0; i < left.length; i++) {
      for (int column : columns(i)) {
        sums[column] += left[i];
      }
    }
    return Matrices.scaled(at.inverse, lambda, lambda).operate(sums);
  }

  /**
   * A value that does not belong with the others.
   *
   * @param observation its index
   * @param shift how far it lies from what the others predict, on the scale of the model
   * @param studentised its externally studentised residual: the t of its shift from the others,
   *     whose variances are estimated without it
   * @param degreesOfFreedom of that t
   * @param p two-sided, times the number of values (Bonferroni), at most 1
   */
  public record Outlier(
      int observation, double shift, double studentised, double degreesOfFreedom, double p) {}

  /** The values whose p, corrected for looking at all of them, is below {@code level}. */
  public List<Outlier> outliers(double level) {
    double[] own = ownShares();
    double[] t = studentised(own);
    int judged = (int) Arrays.stream(t).filter(each -> !Double.isNaN(each)).count();
    if (free() < 2) {
      return List.of();
    }
    List<Outlier> outliers = new ArrayList<>();
    IntStream.range(0, t.length)
        .filter(i -> !Double.isNaN(t[i]))
        .boxed()
        .sorted((a, b) -> Double.compare(Math.abs(t[b]), Math.abs(t[a])))
        .limit(SUSPECTS)
        .forEach(
            i -> {
              Outlier outlier =
                  random.isEmpty() ? exactly(i, own[i], t[i], judged) : shifted(i, judged);
              if (outlier.p() < level) {
                outliers.add(outlier);
              }
            });
    return List.copyOf(outliers);
  }

  /** Without random effects the studentised residual is the t of the shift itself. */
  private Outlier exactly(int observation, double own, double t, int judged) {
    double df = free() - 1;
    double left = y[observation] - Matrices.dot(x[observation], at.beta);
    double p = Math.min(1, judged * StudentT.twoSidedP(t, df));
    return new Outlier(observation, left / own, t, df, p);
  }

  /** Refits with a column of its own for one value. */
  Outlier shifted(int observation, int judged) {
    double[][] wider = new double[y.length][];
    for (int i = 0; i < y.length; i++) {
      wider[i] = Arrays.copyOf(x[i], x[i].length + 1);
    }
    wider[observation][x[0].length] = 1;
    Contrast shift = MixedModel.fit(y, wider, random).coefficient(x[0].length);
    double t = Math.max(-FARTHEST, Math.min(FARTHEST, shift.t()));
    double p = Math.min(1, judged * StudentT.twoSidedP(t, shift.degreesOfFreedom()));
    return new Outlier(observation, shift.value(), t, shift.degreesOfFreedom(), p);
  }

  /**
   * The diagonal of P: how much of itself each value leaves in its residual. With K = ΛM⁻¹ΛZ'X it
   * is 1 − z'ΛM⁻¹Λz − (x − K'z)'C(x − K'z) for the covariance C of the coefficients; the products
   * of K and C are made once for all values, and x has few entries that are not 0.
   */
  private double[] ownShares() {
    double[] lambda = products.lambda(at.ratios);
    double[][] inner = Matrices.scaled(at.inverse, lambda, lambda).getData();
    RealMatrix ofGroups = new Array2DRowRealMatrix(inner, false).multiply(products.zx);
    double[][] k = ofGroups.getData();
    double[][] kc = ofGroups.multiply(at.covariance).getData();
    double[][] c = at.covariance.getData();
    double[] shares = new double[y.length];
    for (int i = 0; i < y.length; i++) {
      double[] row = x[i];
      int[] entries = IntStream.range(0, row.length).filter(e -> row[e] != 0).toArray();
      double own = 1 - sweptLeverage[i];
      for (int e : entries) {
        for (int f : entries) {
          own -= row[e] * c[e][f] * row[f];
        }
      }
      int[] columns = columns(i);
      for (int a : columns) {
        for (int b : columns) {
          own -= inner[a][b] + Matrices.dot(kc[a], k[b]);
        }
        for (int e : entries) {
          own += 2 * kc[a][e] * row[e];
        }
      }
      shares[i] = own;
    }
    return shares;
  }

  /**
   * Externally studentised residuals at the ratios of this fit; NaN for a value that alone
   * determines a parameter.
   */
  private double[] studentised(double[] own) {
    double[] left = residuals();
    double df = free() - 1;
    double[] t = new double[y.length];
    for (int i = 0; i < y.length; i++) {
      double without = (at.squares - left[i] * left[i] / own[i]) / df;
      boolean alone = own[i] < ALONE || df < 1;
      boolean exact = without <= 1e-12 * at.squares;
      t[i] =
          alone
              ? Double.NaN
              : exact ? Math.copySign(FARTHEST, left[i]) : left[i] / Math.sqrt(own[i] * without);
    }
    return t;
  }
}
