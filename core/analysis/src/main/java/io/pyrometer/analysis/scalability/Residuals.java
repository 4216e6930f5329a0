package io.pyrometer.analysis.scalability;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;

/**
 * The residuals of a shape over the points, and their derivatives. Throughputs are divided by their
 * largest X/N, so that λ is about 1 and the columns of the Jacobian are alike in size.
 */
final class Residuals {
  /** What a curve that does not exist at some point is charged for each point. */
  private static final double NO_CURVE = 1e6;

  private final ThroughputCurve shape;
  private final double[][] at;
  private final double[] y;
  private final double[] count;
  private final double within;
  private final boolean log;
  private final Blocks blocks;
  private final Optional<Triangle> triangle;
  private final Optional<Target> target;
  final double unit;

  /**
   * A value of ln X that the curve is made to take at some place, by a penalty that outweighs all
   * points.
   */
  @SuppressWarnings("ArrayRecordComponent") // used here only, never compared
  private record Target(double[] place, double lnX) {
    static final double WEIGHT = 1e5;
  }

  /**
   * What points of the same places in several blocks come to after whitening: with Z telling which
   * point is of which place and W taking the blocks out, WZ = Q·R and q = Qᵀ·W·y, so that |W(y −
   * Z·f)|² = |q − R·f|² + a sum that no curve changes.
   */
  @SuppressWarnings("ArrayRecordComponent") // used here only, never compared
  private record Triangle(double[][] r, double[] q) {

    /** From fitted values and their derivatives by place to the rows of least squares. */
    void apply(double[] residuals, double[][] jacobian) {
      for (int row = 0; row < q.length; row++) {
        double fitted = 0;
        double[] derivatives = new double[jacobian[row].length];
        for (int place = row; place < q.length; place++) {
          fitted += r[row][place] * residuals[place];
          for (int c = 0; c < derivatives.length; c++) {
            derivatives[c] += r[row][place] * jacobian[place][c];
          }
        }
        residuals[row] = q[row] - fitted;
        jacobian[row] = derivatives;
      }
    }
  }

  Residuals(
      ThroughputCurve shape, double[][] at, double[] throughputs, FitScale scale, Blocks blocks) {
    this.shape = shape;
    this.blocks = blocks;
    this.triangle = Optional.empty();
    this.target = Optional.empty();
    this.at = at;
    this.log = scale == FitScale.LOG;
    double largest = 0;
    for (int i = 0; i < at.length; i++) {
      largest = Math.max(largest, throughputs[i] / at[i][0]);
    }
    unit = largest;
    y = Arrays.stream(throughputs).map(x -> log ? Math.log(x / unit) : x / unit).toArray();
    count = new double[y.length];
    Arrays.fill(count, 1);
    within = 0;
  }

  private Residuals(Residuals from, Places places, Optional<Triangle> triangle, double within) {
    this.shape = from.shape;
    this.blocks = Blocks.NONE;
    this.triangle = triangle;
    this.target = Optional.empty();
    this.at = places.at();
    this.log = from.log;
    this.unit = from.unit;
    this.y = places.means();
    this.count = places.counts();
    this.within = within;
  }

  private Residuals(Residuals from, Target target) {
    this.shape = from.shape;
    this.blocks = from.blocks;
    this.triangle = from.triangle;
    this.target = Optional.of(target);
    this.at = from.at;
    this.log = from.log;
    this.unit = from.unit;
    this.y = from.y;
    this.count = from.count;
    this.within = from.within;
  }

  /**
   * The different places that points lie at.
   *
   * @param of each point the index of its place
   * @param within the sum of squares of the points around their places' means
   */
  @SuppressWarnings("ArrayRecordComponent") // used here only, never compared
  private record Places(double[][] at, double[] means, double[] counts, int[] of, double within) {}

  /**
   * The same least squares with as many rows as there are places. Without blocks n points at a
   * place add up to n times the square from their mean, and to a sum that no curve changes; with
   * blocks a {@link Triangle} takes them together.
   */
  Residuals pooled() {
    Places places = places();
    if (!blocks.matter()) {
      return new Residuals(this, places, Optional.empty(), places.within());
    }
    int size = places.at().length;
    if (size >= y.length) {
      return this;
    }
    double[] whitened = y.clone();
    double[][] indicators = new double[y.length][size];
    for (int i = 0; i < y.length; i++) {
      indicators[i][places.of()[i]] = 1;
    }
    blocks.whiten(whitened, indicators);
    double[][] beside = new double[y.length][];
    for (int i = 0; i < y.length; i++) {
      beside[i] = Arrays.copyOf(indicators[i], size + 1);
      beside[i][size] = whitened[i];
    }
    RealMatrix triangle = new QRDecomposition(new Array2DRowRealMatrix(beside, false)).getR();
    double[][] r = triangle.getSubMatrix(0, size - 1, 0, size - 1).getData();
    double[] q = triangle.getSubMatrix(0, size - 1, size, size).getColumn(0);
    double rest = triangle.getEntry(size, size);
    return new Residuals(this, places, Optional.of(new Triangle(r, q)), rest * rest);
  }

  private Places places() {
    Map<List<Double>, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < y.length; i++) {
      List<Double> place = Arrays.stream(at[i]).boxed().toList();
      places.computeIfAbsent(place, p -> new ArrayList<>()).add(i);
    }
    double[][] pooledAt = new double[places.size()][];
    double[] means = new double[places.size()];
    double[] counts = new double[places.size()];
    int[] of = new int[y.length];
    double rest = 0;
    int k = 0;
    for (List<Integer> points : places.values()) {
      double mean = points.stream().mapToDouble(i -> y[i]).average().orElseThrow();
      rest += points.stream().mapToDouble(i -> (y[i] - mean) * (y[i] - mean)).sum();
      pooledAt[k] = at[points.get(0)];
      means[k] = mean;
      counts[k] = points.size();
      for (int i : points) {
        of[i] = k;
      }
      k++;
    }
    return new Places(pooledAt, means, counts, of, rest);
  }

  /** The same with the curve made to give {@code throughput} at a place. */
  Residuals through(double[] place, double throughput) {
    return new Residuals(this, new Target(place, Math.log(throughput / unit)));
  }

  /** The rows of the Jacobian. */
  int points() {
    return y.length + (target.isPresent() ? 1 : 0);
  }

  int parameters() {
    return shape.shapeParameters().length + 1;
  }

  double toLambda(double level) {
    return log ? unit * Math.exp(level) : unit * level;
  }

  /** The sum of squares that residuals at some parameters come to. */
  double squares(double[] residuals) {
    return Arrays.stream(residuals).map(r -> r * r).sum() + within;
  }

  /** The residual sum of squares in the units of the data. */
  double toDataUnits(double rss) {
    return log ? rss : rss * unit * unit;
  }

  /**
   * Observed minus fitted at each point, times the root of how many it stands for; the rows of
   * {@code jacobian} receive the derivatives of the fitted values.
   */
  double[] at(double[] parameters, double[][] jacobian) {
    double[] theta = Arrays.copyOfRange(parameters, 1, parameters.length);
    double[] gradient = new double[theta.length];
    double[] residuals = new double[points()];
    for (int i = 0; i < y.length; i++) {
      double g = shape.value(at[i], theta, gradient);
      if (!(g > 0) || !Double.isFinite(g)) {
        return noCurve(jacobian);
      }
      double fitted = log ? parameters[0] + Math.log(g) : parameters[0] * g;
      double weight = triangle.isPresent() ? 1 : Math.sqrt(count[i]);
      residuals[i] = triangle.isPresent() ? fitted : weight * (y[i] - fitted);
      jacobian[i][0] = weight * (log ? 1 : g);
      double factor = weight * (log ? 1 / g : parameters[0]);
      for (int k = 0; k < theta.length; k++) {
        jacobian[i][k + 1] = factor * gradient[k];
      }
    }
    blocks.whiten(residuals, jacobian);
    triangle.ifPresent(rows -> rows.apply(residuals, jacobian));
    if (target.isPresent()) {
      return atTarget(target.get(), parameters, theta, residuals, jacobian);
    }
    return residuals;
  }

  private double[] atTarget(
      Target aim, double[] parameters, double[] theta, double[] residuals, double[][] jacobian) {
    double[] gradient = new double[theta.length];
    double g = shape.value(aim.place(), theta, gradient);
    double level = log ? Math.exp(parameters[0]) : parameters[0];
    if (!(g > 0) || !(level > 0) || !Double.isFinite(g)) {
      return noCurve(jacobian);
    }
    double weight = Math.sqrt(Target.WEIGHT) * (log ? 1 : level * g);
    int row = y.length;
    residuals[row] = weight * (aim.lnX() - Math.log(level * g));
    jacobian[row][0] = weight * (log ? 1 : 1 / level);
    for (int k = 0; k < theta.length; k++) {
      jacobian[row][k + 1] = weight * gradient[k] / g;
    }
    return residuals;
  }

  private double[] noCurve(double[][] jacobian) {
    double[] residuals = new double[points()];
    Arrays.fill(residuals, NO_CURVE);
    for (double[] row : jacobian) {
      Arrays.fill(row, 0);
    }
    return residuals;
  }

  /** The best level for a given θ; 0 if there is no curve. */
  double bestLevel(double[] theta) {
    double[] gradient = new double[theta.length];
    double above = 0;
    double below = 0;
    for (int i = 0; i < y.length; i++) {
      double g = shape.value(at[i], theta, gradient);
      if (!(g > 0)) {
        return log ? 0 : 1;
      }
      above += count[i] * (log ? y[i] - Math.log(g) : y[i] * g);
      below += count[i] * (log ? 1 : g * g);
    }
    return above / below;
  }
}
