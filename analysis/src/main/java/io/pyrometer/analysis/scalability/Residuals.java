package io.pyrometer.analysis.scalability;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The residuals of a shape over the points, and their derivatives. Throughputs are divided by their
 * largest X/N, so that λ is about 1 and the columns of the Jacobian are alike in size.
 */
final class Residuals {
  /** What a curve that does not exist at some point is charged for each point. */
  private static final double NO_CURVE = 1e6;

  private final Shape shape;
  private final double[][] at;
  private final double[] y;
  private final double[] count;
  private final double within;
  private final boolean log;
  final double unit;

  Residuals(Shape shape, double[][] at, double[] throughputs, FitScale scale) {
    this.shape = shape;
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

  private Residuals(Residuals from, double[][] at, double[] y, double[] count, double within) {
    this.shape = from.shape;
    this.at = at;
    this.log = from.log;
    this.unit = from.unit;
    this.y = y;
    this.count = count;
    this.within = within;
  }

  /**
   * The same least squares with the points at one place taken together: n points add up to n times
   * the square from their mean, and to a sum that no curve changes.
   */
  Residuals pooled() {
    Map<List<Double>, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < y.length; i++) {
      List<Double> place = Arrays.stream(at[i]).boxed().toList();
      places.computeIfAbsent(place, p -> new ArrayList<>()).add(i);
    }
    double[][] pooledAt = new double[places.size()][];
    double[] means = new double[places.size()];
    double[] counts = new double[places.size()];
    double rest = 0;
    int k = 0;
    for (List<Integer> points : places.values()) {
      double mean = points.stream().mapToDouble(i -> y[i]).average().orElseThrow();
      rest += points.stream().mapToDouble(i -> (y[i] - mean) * (y[i] - mean)).sum();
      pooledAt[k] = at[points.get(0)];
      means[k] = mean;
      counts[k++] = points.size();
    }
    return new Residuals(this, pooledAt, means, counts, rest);
  }

  int points() {
    return y.length;
  }

  int parameters() {
    return shape.shapeParameters().length + 1;
  }

  double toLevel(double lambda) {
    return log ? Math.log(lambda / unit) : lambda / unit;
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
    double[] residuals = new double[y.length];
    for (int i = 0; i < y.length; i++) {
      double g = shape.value(at[i], theta, gradient);
      if (!(g > 0) || !Double.isFinite(g)) {
        return noCurve(jacobian);
      }
      double weight = Math.sqrt(count[i]);
      residuals[i] = weight * (y[i] - (log ? parameters[0] + Math.log(g) : parameters[0] * g));
      jacobian[i][0] = weight * (log ? 1 : g);
      double factor = weight * (log ? 1 / g : parameters[0]);
      for (int k = 0; k < theta.length; k++) {
        jacobian[i][k + 1] = factor * gradient[k];
      }
    }
    return residuals;
  }

  private double[] noCurve(double[][] jacobian) {
    double[] residuals = new double[y.length];
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
