package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.ResponseScale;
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
}
