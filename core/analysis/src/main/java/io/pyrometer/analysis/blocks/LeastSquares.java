package io.pyrometer.analysis.blocks;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.RealMatrix;

/**
 * Ordinary least squares y = Xβ + ε, where one grouping, such as blocks, may be swept out of y and
 * X (Frisch and Waugh), which takes thousands of groups.
 */
public final class LeastSquares {
  /** A value with less of itself left in its residual than this is fitted by itself alone. */
  private static final double ALONE = 1e-8;

  /** A residual of a model that otherwise fits exactly is as far out as can be. */
  private static final double FARTHEST = 1e6;

  /** Spreads that differ as surely as this are not pooled. */
  private static final double SPREADS_DIFFER = 0.05;

  private static final int MIN_TREATMENTS = 3;
  private static final int MIN_VALUES = 3;

  private final double[][] x;
  private final double[] beta;

  /** (X'X)⁻¹. */
  private final RealMatrix inverse;

  private final double[] residuals;

  /** The share of each value in its own residual: 1 − leverage. */
  private final double[] own;

  private final double squares;
  private final int df;

  /**
   * The addition of each treatment's noise to the covariance of β, where spreads differ; else
   * empty.
   */
  private final List<Part> parts = new ArrayList<>();

  private record Part(RealMatrix covariance, double degreesOfFreedom) {}

  private LeastSquares(double[] y, double[][] x, int swept, double[] sweptLeverage) {
    int p = x[0].length;
    df = y.length - p - swept;
    if (df < 1) {
      throw BadDataException.of(
          "There are %d values for a model of %d parameters, which leaves nothing to judge them by;"
              + " run more blocks or leave terms out.",
          y.length, p + swept);
    }
    double[][] gram = Matrices.gram(x);
    if (Matrices.rank(gram) < p) {
      throw new BadDataException(
          "Terms of the model are aliased in these runs; leave one out or add runs.");
    }
    this.x = x;
    inverse = Matrices.inverse(new Array2DRowRealMatrix(gram, false));
    // A second pass on the residuals of the first keeps the digits of small residuals.
    double[] first = solve(y);
    double[] second = solve(minus(y, first));
    beta = new double[p];
    Arrays.setAll(beta, i -> first[i] + second[i]);
    residuals = minus(y, beta);
    squares = Arrays.stream(residuals).map(e -> e * e).sum();
    own = new double[y.length];
    for (int i = 0; i < y.length; i++) {
      own[i] = 1 - sweptLeverage[i] - Matrices.dot(x[i], inverse.operate(x[i]));
    }
  }

  private double[] solve(double[] y) {
    return inverse.operate(new Array2DRowRealMatrix(x, false).preMultiply(y));
  }

  private double[] minus(double[] y, double[] coefficients) {
    return IntStream.range(0, y.length)
        .mapToDouble(i -> y[i] - Matrices.dot(x[i], coefficients))
        .toArray();
  }

  /**
   * Fits.
   *
   * @param y one value an observation, on the scale on which effects add
   * @param x one row an observation; its columns must be independent
   * @throws BadDataException if there are no more observations than columns, or columns depend on
   *     each other
   */
  public static LeastSquares fit(double[] y, double[][] x) {
    return new LeastSquares(y, x, 0, new double[y.length]);
  }

  /**
   * Fits with a grouping as fixed effects. The coefficient of a constant column is that of the
   * average group.
   *
   * @param x as in {@link #fit}, with a column that is constant, or a sum of columns that is
   * @throws BadDataException if nothing is left to judge by, or columns depend on each other or on
   *     the groups
   */
  public static LeastSquares within(double[] y, double[][] x, Grouping fixed) {
    int[] group = fixed.group();
    int[] sizes = new int[fixed.groups()];
    IntStream.of(group).forEach(g -> sizes[g]++);
    double[] leverage =
        IntStream.of(group).mapToDouble(g -> 1.0 / sizes[g] - 1.0 / y.length).toArray();
    return new LeastSquares(fixed.swept(y), fixed.swept(x), sizes.length - 1, leverage);
  }

  /**
   * Gives this fit a variance for each treatment, estimated from its residuals, where Brown and
   * Forsythe's test shows that their spreads differ; contrasts then have the degrees of freedom of
   * Welch and Satterthwaite.
   */
  public LeastSquares withSpreads(double[] y, Grouping treatment, Optional<Grouping> block) {
    if (!differInSpread(y, treatment, block)) {
      return this;
    }
    for (int[] members : treatment.members()) {
      double free = IntStream.of(members).mapToDouble(i -> own[i]).sum();
      double variance =
          IntStream.of(members).mapToDouble(i -> residuals[i] * residuals[i]).sum() / free;
      double[][] rows = IntStream.of(members).mapToObj(i -> x[i]).toArray(double[][]::new);
      RealMatrix xx = new Array2DRowRealMatrix(Matrices.gram(rows), false);
      RealMatrix part = inverse.multiply(xx).multiply(inverse);
      parts.add(new Part(part.scalarMultiply(variance), free));
    }
    return this;
  }

  /**
   * Checks whether the spreads of treatments surely differ, so that they are not pooled: Brown and
   * Forsythe's test, an analysis of variance of the distances from the medians. Blocks are taken
   * out by their medians, since a mean would spread a loud treatment's noise over the quiet. False
   * with too few treatments or values.
   *
   * @param block of each value, where they share blocks
   */
  static boolean differInSpread(double[] y, Grouping treatment, Optional<Grouping> block) {
    List<int[]> treatments = treatment.members();
    if (treatments.size() < MIN_TREATMENTS
        || treatments.stream().anyMatch(own -> own.length < MIN_VALUES)) {
      return false;
    }
    double[] left = y.clone();
    takeOutMedians(treatments, left);
    if (block.isPresent()) {
      takeOutMedians(block.get().members(), left);
      takeOutMedians(treatments, left);
    }
    double[] distances = Arrays.stream(left).map(Math::abs).toArray();
    double mean = Samples.mean(distances);
    double between = 0;
    double within = 0;
    for (int[] members : treatments) {
      double[] own = IntStream.of(members).mapToDouble(i -> distances[i]).toArray();
      between += own.length * Math.pow(Samples.mean(own) - mean, 2);
      within += Samples.sumOfSquares(own);
    }
    if (!(within > 0)) {
      return false;
    }
    int groups = treatments.size() - 1;
    int free = y.length - treatments.size();
    double f = between / groups / (within / free);
    return 1 - new FDistribution(groups, free).cumulativeProbability(f) < SPREADS_DIFFER;
  }

  private static void takeOutMedians(List<int[]> groups, double[] left) {
    for (int[] own : groups) {
      double median = Samples.median(IntStream.of(own).mapToDouble(i -> left[i]).toArray());
      IntStream.of(own).forEach(i -> left[i] -= median);
    }
  }

  /** True where treatments have variances of their own. */
  public boolean spreadsDiffer() {
    return !parts.isEmpty();
  }

  /** The estimates of β, in the order of the design's columns. */
  public double[] coefficients() {
    return beta.clone();
  }

  /** The variance of one value. */
  public double residualVariance() {
    return squares / df;
  }

  /** The residual sum of squares. */
  public double residualSquares() {
    return squares;
  }

  /** The residual degrees of freedom, at least 1. */
  public int degreesOfFreedom() {
    return df;
  }

  /** Observed minus fitted. */
  public double[] residuals() {
    return residuals.clone();
  }

  /** The number of values. */
  public int values() {
    return residuals.length;
  }

  /** Estimates Σ weights·β. */
  public Contrast contrast(double[] weights) {
    double value = Matrices.dot(weights, beta);
    if (parts.isEmpty()) {
      double unit = Math.max(0, Matrices.dot(weights, inverse.operate(weights)));
      return new Contrast(value, Math.sqrt(residualVariance() * unit), df);
    }
    return Contrast.ofSum(
        value,
        parts.stream()
            .mapToDouble(
                part -> Math.max(0, Matrices.dot(weights, part.covariance().operate(weights))))
            .toArray(),
        parts.stream().mapToDouble(Part::degreesOfFreedom).toArray());
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
   * Tests that every row of weights gives 0 (Fai and Cornelius's method where spreads differ); rows
   * independent.
   */
  public Test test(double[][] weights) {
    if (weights.length == 1) {
      Contrast only = contrast(weights[0]);
      double t = Math.min(1e50, Math.abs(only.t()));
      return new Test(t * t, 1, only.degreesOfFreedom(), only.p());
    }
    RealMatrix l = new Array2DRowRealMatrix(weights, true);
    RealMatrix ofAll =
        parts.stream()
            .map(Part::covariance)
            .reduce(RealMatrix::add)
            .orElseGet(() -> inverse.scalarMultiply(residualVariance()));
    RealMatrix covariance = l.multiply(ofAll).multiplyTransposed(l);
    RealMatrix directions = eigenvectors(Matrices.symmetrized(covariance));
    int q = weights.length;
    double[] nu = new double[q];
    double f = 0;
    for (int i = 0; i < q; i++) {
      Contrast each = contrast(l.preMultiply(directions.getColumn(i)));
      nu[i] = each.degreesOfFreedom();
      f += Math.min(1e100, each.t() * each.t()) / q;
    }
    double denominator = denominator(nu);
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

  /**
   * A value that does not belong with the others.
   *
   * @param observation its index
   * @param shift how far it lies from what the others predict, on the scale of the model
   * @param studentised its externally studentised residual
   * @param p two-sided, times the number of values (Bonferroni), at most 1
   */
  public record Outlier(int observation, double shift, double studentised, double p) {}

  /**
   * The values whose p, corrected for looking at all of them, is below {@code level}, the farthest
   * first; none where spreads differ, as a value far out is then one of a loud treatment.
   */
  public List<Outlier> outliers(double level) {
    if (df < 2 || spreadsDiffer()) {
      return List.of();
    }
    int[] judged = IntStream.range(0, own.length).filter(i -> own[i] >= ALONE).toArray();
    return IntStream.of(judged)
        .mapToObj(
            i -> {
              double without = (squares - residuals[i] * residuals[i] / own[i]) / (df - 1);
              double t =
                  without <= 1e-12 * squares
                      ? Math.copySign(FARTHEST, residuals[i])
                      : residuals[i] / Math.sqrt(own[i] * without);
              t = Math.max(-FARTHEST, Math.min(FARTHEST, t));
              double p = Math.min(1, judged.length * StudentT.twoSidedP(t, df - 1.0));
              return new Outlier(i, residuals[i] / own[i], t, p);
            })
        .filter(outlier -> outlier.p() < level)
        .sorted((a, b) -> Double.compare(Math.abs(b.studentised()), Math.abs(a.studentised())))
        .toList();
  }
}
