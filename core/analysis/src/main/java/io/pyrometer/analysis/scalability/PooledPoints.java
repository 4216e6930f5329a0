package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.blocks.Grouping;
import io.pyrometer.analysis.blocks.LeastSquares;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;

/**
 * The points of a fit. Throughputs are divided by their largest X/N, so that λ is about 1 and the
 * columns of the Jacobian are alike in size. All points of one N are taken together: with Z telling
 * which point is of which N and W taking the blocks out, (WZ, Wy) = Q·(R, q), so that |W(y − Zf)|²
 * = |q − R·f|² + a sum that no curve changes.
 */
final class PooledPoints {
  /** Where λ may lie a billion times either way, the points say nothing about it. */
  private static final double WIDEST_LEVEL = 20;

  private final List<ScalePoint> points;
  private final FitOptions options;
  private final Blocks blocks;
  private final double unit;
  private final double[] y;
  private final double[] places;
  private final double[][] r;
  private final double[] q;
  private final double within;

  PooledPoints(List<ScalePoint> points, FitOptions options) {
    this(points, options, Blocks.of(points, options.scale()));
  }

  /** Makes it with what is known of the points' blocks. */
  PooledPoints(List<ScalePoint> points, FitOptions options, Blocks blocks) {
    this.points = points;
    this.options = options;
    this.blocks = blocks;
    unit = points.stream().mapToDouble(p -> p.throughput() / p.n()).max().orElseThrow();
    y = points.stream().mapToDouble(p -> options.scale().forward(p.throughput() / unit)).toArray();
    places = points.stream().mapToDouble(ScalePoint::n).distinct().toArray();
    int size = places.length;
    double[][] rows = new double[y.length][size + 1];
    for (int i = 0; i < y.length; i++) {
      for (int place = 0; place < size; place++) {
        rows[i][place] = points.get(i).n() == places[place] ? 1 : 0;
      }
      rows[i][size] = y[i];
    }
    blocks.whiten(rows);
    RealMatrix triangle = new QRDecomposition(new Array2DRowRealMatrix(rows, false)).getR();
    r = triangle.getSubMatrix(0, size - 1, 0, size - 1).getData();
    q = triangle.getSubMatrix(0, size - 1, size, size).getColumn(0);
    within = y.length > size ? Math.pow(triangle.getEntry(size, size), 2) : 0;
  }

  List<ScalePoint> points() {
    return points;
  }

  FitOptions options() {
    return options;
  }

  Blocks blocks() {
    return blocks;
  }

  /** The different N; there are as many rows of least squares. */
  double[] places() {
    return places.clone();
  }

  /**
   * Whether throughput was measured lower at the largest N than where it is largest: by more than
   * replicates differ, or without them by more than the smallest relevant difference.
   */
  boolean declines() {
    int size = places.length;
    double[] means = new double[size];
    int[] counts = new int[size];
    for (int i = 0; i < y.length; i++) {
      int place = place(points.get(i).n());
      counts[place]++;
      means[place] += (y[i] - means[place]) / counts[place];
    }
    int best = IntStream.range(0, size).reduce(0, (a, b) -> means[b] > means[a] ? b : a);
    int last = IntStream.range(0, size).reduce(0, (a, b) -> places[b] > places[a] ? b : a);
    int df = y.length - size;
    if (df < 1) {
      double delta = ComparisonRule.HIGHER_IS_BETTER.delta();
      return options.scale().back(means[last]) < options.scale().back(means[best]) * (1 - delta);
    }
    double error = Math.sqrt(within / df * (1.0 / counts[best] + 1.0 / counts[last]));
    return means[best] - means[last] > StudentT.twoSided(options.confidence(), df) * error;
  }

  private int place(double n) {
    return IntStream.range(0, places.length).filter(i -> places[i] == n).findFirst().orElseThrow();
  }

  /** Whether there are more points, and as many different N, as the model has parameters. */
  boolean canFit(Model model) {
    return points.size() > model.parameters() && places.length >= model.parameters();
  }

  boolean isLog() {
    return options.scale() == ResponseScale.LN;
  }

  /** ln of a throughput over the unit. */
  double lnX(double throughput) {
    return Math.log(throughput / unit);
  }

  /** λ in the unit of the data. */
  double toLambda(double level) {
    return unit * options.scale().back(level);
  }

  /** How far below a level is looked for the end of its interval. */
  double leastLevel(double level) {
    return isLog() ? level - WIDEST_LEVEL : 0;
  }

  /** How far above a level is looked for the end of its interval. */
  double mostLevel(double level) {
    return isLog() ? level + WIDEST_LEVEL : level * Math.exp(WIDEST_LEVEL);
  }

  /** What 1 on the scale of the fit is in the data. */
  double unitOfResiduals() {
    return isLog() ? 1 : unit;
  }

  /**
   * A curve on the scale of the fit.
   *
   * @param parameters the level (λ, or ln λ), then θ
   * @param slopes receives the derivatives by them
   * @return NaN where the curve does not exist
   */
  double curve(Model model, double n, double[] parameters, double[] slopes) {
    double[] theta = Arrays.copyOfRange(parameters, 1, parameters.length);
    double[] gradient = new double[theta.length];
    double g = model.at(n, theta, gradient);
    if (!(g > 0) || !Double.isFinite(g)) {
      return Double.NaN;
    }
    slopes[0] = isLog() ? 1 : g;
    for (int k = 0; k < theta.length; k++) {
      slopes[k + 1] = gradient[k] * (isLog() ? 1 / g : parameters[0]);
    }
    return isLog() ? parameters[0] + Math.log(g) : parameters[0] * g;
  }

  /**
   * The rows q − R·f of least squares.
   *
   * @param residuals receives them
   * @param jacobian receives the derivatives of R·f
   * @return whether the curve exists at all points
   */
  boolean rows(Model model, double[] parameters, double[] residuals, double[][] jacobian) {
    System.arraycopy(q, 0, residuals, 0, q.length);
    double[] slopes = new double[parameters.length];
    for (int place = 0; place < q.length; place++) {
      double fitted = curve(model, places[place], parameters, slopes);
      if (Double.isNaN(fitted)) {
        return false;
      }
      for (int row = 0; row <= place; row++) {
        residuals[row] -= r[row][place] * fitted;
        for (int k = 0; k < slopes.length; k++) {
          jacobian[row][k] += r[row][place] * slopes[k];
        }
      }
    }
    return true;
  }

  /** What the rows' squares leave out, as no curve changes it. */
  double within() {
    return within;
  }

  /** Of every point the derivatives of the curve, then its residual; blocks taken out. */
  double[][] whitened(Model model, double[] parameters) {
    double[][] rows = new double[y.length][parameters.length + 1];
    for (int i = 0; i < y.length; i++) {
      rows[i][parameters.length] = y[i] - curve(model, points.get(i).n(), parameters, rows[i]);
    }
    blocks.whiten(rows);
    return rows;
  }

  /**
   * The effects of blocks on the points: ln X = curve + block + noise. How much blocks vary is
   * estimated from their mean square with a mean for every N in place of the curve, so that no
   * model's misfit is taken for it; then every residual loses its share of its block's mean, which
   * leaves uncorrelated ones.
   */
  static final class Blocks {
    /** Points that share no blocks. */
    static final Blocks NONE = new Blocks(new int[0], new int[0], 0, Double.POSITIVE_INFINITY);

    private final int[] group;
    private final int[] sizes;

    /** ρ, the variance of blocks over that of the noise. */
    private final double ratio;

    private final double levelDegreesOfFreedom;

    private Blocks(int[] group, int[] sizes, double ratio, double levelDegreesOfFreedom) {
      this.group = group;
      this.sizes = sizes;
      this.ratio = ratio;
      this.levelDegreesOfFreedom = levelDegreesOfFreedom;
    }

    static Blocks of(List<ScalePoint> points, ResponseScale scale) {
      Grouping grouping = Grouping.of("block", points.stream().map(ScalePoint::block).toList());
      int blocks = grouping.groups();
      if (scale == ResponseScale.PLAIN || blocks < 2 || blocks >= points.size()) {
        return NONE;
      }
      double[] levels = points.stream().mapToDouble(ScalePoint::n).distinct().toArray();
      double[] y = points.stream().mapToDouble(p -> Math.log(p.throughput())).toArray();
      double[][] x =
          points.stream()
              .map(p -> Arrays.stream(levels).map(level -> p.n() == level ? 1 : 0).toArray())
              .toArray(double[][]::new);
      try {
        LeastSquares within = LeastSquares.within(y, x, grouping);
        double noise = within.residualVariance();
        double ofBlocks =
            (LeastSquares.fit(y, x).residualSquares() - within.residualSquares()) / (blocks - 1);
        double size = (double) y.length / blocks;
        // The mean square of blocks estimates noise + size × variance of blocks.
        double ratio = Math.max(0, ofBlocks - noise) / size / noise;
        if (!Double.isFinite(ratio)) {
          return NONE;
        }
        double df =
            Contrast.ofSum(
                    0,
                    new double[] {Math.max(0, ofBlocks) / size, noise * (1 - 1 / size)},
                    new double[] {blocks - 1.0, within.degreesOfFreedom()})
                .degreesOfFreedom();
        int[] group = grouping.group();
        return new Blocks(group, sizes(group, blocks), ratio, df);
      } catch (BadDataException oneValueALevel) {
        return NONE; // with one point at each N nothing tells blocks from the curve
      }
    }

    private static int[] sizes(int[] group, int blocks) {
      int[] sizes = new int[blocks];
      Arrays.stream(group).forEach(g -> sizes[g]++);
      return sizes;
    }

    /** The same where one of the points is left out, without estimating anew how much they vary. */
    Blocks without(int point) {
      int[] others =
          IntStream.range(0, group.length).filter(i -> i != point).map(i -> group[i]).toArray();
      return new Blocks(others, sizes(others, sizes.length), ratio, levelDegreesOfFreedom);
    }

    /** Whether there is anything to take out. */
    boolean matter() {
      return ratio > 0;
    }

    /**
     * Half the width of the interval of the curve's level, by what each block alone makes of it,
     * with one degree of freedom less than blocks: where all blocks hold the same N that is an
     * exact t interval for any variance between blocks, also where that is estimated as 0. 0
     * without blocks.
     *
     * @param effects of every point on the level: its residual, its block's share taken out, times
     *     its weight in the level
     */
    double levelHalfWidth(double[] effects, double confidence) {
      int blocks = sizes.length;
      if (blocks < 2) {
        return 0;
      }
      double[] parts = new double[blocks];
      for (int i = 0; i < group.length; i++) {
        parts[group[i]] += effects[i];
      }
      double squares = Arrays.stream(parts).map(part -> part * part).sum();
      double error = Math.sqrt(squares * blocks / (blocks - 1.0));
      return StudentT.twoSided(confidence, blocks - 1.0) * error;
    }

    /**
     * Of what depends on the curve's level, by Satterthwaite: few blocks say little about it;
     * infinite where blocks do not matter.
     */
    double levelDegreesOfFreedom() {
      return levelDegreesOfFreedom;
    }

    /** Takes the blocks' shares out of every column of the rows, which stand for the points. */
    void whiten(double[][] rows) {
      if (!matter()) {
        return;
      }
      int columns = rows[0].length;
      double[][] sums = new double[sizes.length][columns];
      for (int i = 0; i < group.length; i++) {
        for (int c = 0; c < columns; c++) {
          sums[group[i]][c] += rows[i][c];
        }
      }
      for (int i = 0; i < group.length; i++) {
        int size = sizes[group[i]];
        double share = (1 - 1 / Math.sqrt(1 + size * ratio)) / size;
        for (int c = 0; c < columns; c++) {
          rows[i][c] -= share * sums[group[i]][c];
        }
      }
    }
  }
}
