package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.mixed.ProfiledLikelihood.CrossProducts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
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
  /**
   * Degrees of freedom between which the quantiles of t are numbers: fewer have none, more are
   * normal.
   */
  private static final double FEWEST_DEGREES = 0.01;

  private static final double MOST_DEGREES = 1e9;

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

  /** The treatments' own variances, where they differ and no effect is random. */
  private final Optional<Spreads> spreads;

  MixedFit(
      double[] y,
      double[][] x,
      List<MixedModel.Grouping> random,
      CrossProducts products,
      ProfiledLikelihood at,
      int swept,
      double[] sweptLeverage,
      Optional<Spreads> spreads) {
    this.spreads = spreads;
    this.swept = swept;
    this.sweptLeverage = sweptLeverage;
    this.y = y;
    this.x = x;
    this.random = random;
    this.products = products;
    this.at = at;
    this.groups = random.stream().map(MixedModel.Grouping::group).toArray(int[][]::new);
    this.active = IntStream.range(0, random.size()).filter(k -> at.ratios[k] > 0).toArray();
    this.ofVariances = at.covarianceOfVariances(active);
  }

  private double free() {
    return y.length - (double) at.beta.length - swept;
  }

  /**
   * The same fit, where nothing is random and Levene's test shows that the treatments' spreads
   * differ, with a variance for each treatment, estimated from its residuals.
   */
  public MixedFit withSpreads(MixedModel.Grouping treatment, Optional<MixedModel.Grouping> block) {
    int[] group = treatment.group();
    OptionalDouble p = Spreads.levene(y, group, block.map(MixedModel.Grouping::group));
    if (p.orElse(1) >= Spreads.DIFFER || !random.isEmpty()) {
      return this;
    }
    double[] own = ownShares();
    double[] left = residuals();
    List<Spreads.Part> parts = new ArrayList<>();
    for (int[] members : Spreads.members(group)) {
      double df = IntStream.of(members).mapToDouble(i -> own[i]).sum();
      double variance = IntStream.of(members).mapToDouble(i -> left[i] * left[i]).sum() / df;
      double[][] rows = IntStream.of(members).mapToObj(i -> x[i]).toArray(double[][]::new);
      RealMatrix xx = new Array2DRowRealMatrix(Matrices.gram(rows), false);
      RealMatrix part = at.covariance.multiply(xx).multiply(at.covariance);
      parts.add(new Spreads.Part(part.scalarMultiply(variance), df));
    }
    return new MixedFit(
        y, x, random, products, at, swept, sweptLeverage, Optional.of(new Spreads(parts)));
  }

  /** The estimates of the fixed effects, in the order of the design's columns. */
  public double[] coefficients() {
    return at.beta.clone();
  }

  /** Whether treatments have variances of their own. */
  public boolean spreadsDiffer() {
    return spreads.isPresent();
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
    double value = Matrices.dot(weights, at.beta);
    if (spreads.isPresent()) {
      return spreads.get().contrast(value, weights);
    }
    double[] c = at.covariance.operate(weights);
    double unit = Math.max(0, Matrices.dot(weights, c));
    return new Contrast(value, Math.sqrt(at.variance * unit), degreesOfFreedom(c, unit));
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
    double df = 2 * at.variance * at.variance * unit * unit / variance;
    return df > 0 ? Math.max(FEWEST_DEGREES, Math.min(MOST_DEGREES, df)) : free();
  }

  private double squares(double[] ofGroups, int effect) {
    double sum = 0;
    for (int a = products.from(effect); a < products.to(effect); a++) {
      sum += ofGroups[a] * ofGroups[a];
    }
    return sum;
  }

  /**
   * A test of several combinations at once.
   *
   * @param f the statistic
   * @param numerator how many independent combinations were tested
   * @param denominator its degrees of freedom
   */
  public record Test(double f, int numerator, double denominator, double p) {}

  /**
   * Tests that every row of weights gives 0 (Fai and Cornelius's method); rows independent.
   *
   * @param maxDenominator more degrees of freedom than this are not taken
   * @param widening of the standard errors
   */
  public Test test(double[][] weights, double maxDenominator, double widening) {
    RealMatrix l = new Array2DRowRealMatrix(weights, true);
    RealMatrix ofAll =
        spreads.map(Spreads::covariance).orElseGet(() -> at.covariance.scalarMultiply(at.variance));
    RealMatrix covariance = l.multiply(ofAll).multiplyTransposed(l);
    RealMatrix directions = eigenvectors(Matrices.symmetrized(covariance));
    int q = weights.length;
    double[] nu = new double[q];
    double f = 0;
    for (int i = 0; i < q; i++) {
      Contrast each = contrast(l.preMultiply(directions.getColumn(i)));
      nu[i] = each.degreesOfFreedom();
      f += Math.min(1e100, each.t() * each.t() / (widening * widening)) / q;
    }
    double denominator = Math.min(denominator(nu), maxDenominator);
    double p = 1 - new FDistribution(q, denominator).cumulativeProbability(f);
    return new Test(f, q, denominator, Math.max(0, p));
  }

  private static double denominator(double[] nu) {
    double least = Arrays.stream(nu).min().orElseThrow();
    double most = Arrays.stream(nu).max().orElseThrow();
    if (most - least < 1e-8 * most) {
      return most;
    }
    double expected = Arrays.stream(nu).map(each -> each / (each - 2)).sum();
    return least <= 2 ? 2 : 2 * expected / (expected - nu.length);
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

  /**
   * The values whose p, corrected for looking at all of them, is below {@code level}; none where
   * spreads differ, as a value far out is then one of a loud treatment.
   */
  public List<Outlier> outliers(double level) {
    if (free() < 2 || spreads.isPresent()) {
      return List.of();
    }
    double[] own = ownShares();
    double[] left = residuals();
    double[] t = studentised(own, left);
    int judged = (int) Arrays.stream(t).filter(each -> !Double.isNaN(each)).count();
    List<Outlier> outliers = new ArrayList<>();
    IntStream.range(0, t.length)
        .filter(i -> !Double.isNaN(t[i]))
        .boxed()
        .sorted((a, b) -> Double.compare(Math.abs(t[b]), Math.abs(t[a])))
        .limit(SUSPECTS)
        .forEach(
            i -> {
              double shift = left[i] / own[i];
              // Without random effects the studentised residual is the t of the shift itself.
              Outlier outlier =
                  random.isEmpty()
                      ? outlier(i, new Contrast(shift, shift / t[i], free() - 1), judged)
                      : shifted(i, judged);
              if (outlier.p() < level) {
                outliers.add(outlier);
              }
            });
    return List.copyOf(outliers);
  }

  /** Refits with a column of its own for one value. */
  Outlier shifted(int observation, int judged) {
    int column = x[0].length;
    double[][] wider =
        Arrays.stream(x).map(row -> Arrays.copyOf(row, column + 1)).toArray(double[][]::new);
    wider[observation][column] = 1;
    return outlier(observation, MixedModel.fit(y, wider, random).coefficient(column), judged);
  }

  private static Outlier outlier(int observation, Contrast shift, int judged) {
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
  private double[] studentised(double[] own, double[] left) {
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
