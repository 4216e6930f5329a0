package io.pyrometer.analysis.scalability;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresFactory;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/**
 * Least squares of one model by Levenberg–Marquardt on ln λ and on the logarithms of the distances
 * of the other parameters from their bounds. A parameter whose best value is its bound has no
 * logarithm: the model without it is fitted as well, and stands where it leaves no more.
 */
final class LogLeastSquares {
  /** Near rounding: a tenth of a digit in the sum of squares is three in a parameter. */
  private static final double COST_TOLERANCE = 4e-16;

  private static final double PARAMETER_TOLERANCE = 1e-11;
  private static final int MAX_EVALUATIONS = 400;

  /** The residual of every row where the curve does not exist at some point. */
  private static final double NO_CURVE = 1e6;

  /** The distance from its bound from which a parameter that lies at it is moved away. */
  private static final double OFF_THE_BOUND = 1e-3;

  private static final double NO_MORE = 1 + 1e-9;

  private final Model model;
  private final PooledPoints points;
  private final double[] lower;

  /** The parameters without a bound, as bits. */
  private int unbounded;

  /**
   * A solution.
   *
   * @param all ln λ in scaled units, then θ
   * @param rss the residual sum of squares in scaled units
   */
  @SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
  record Solution(double[] all, double rss) {
    double[] theta() {
      return Arrays.copyOfRange(all, 1, all.length);
    }
  }

  LogLeastSquares(Model model, PooledPoints points) {
    this.model = model;
    this.points = points;
    lower = new double[model.parameters()];
    lower[0] = Double.NEGATIVE_INFINITY;
    System.arraycopy(model.lowerBounds(), 0, lower, 1, lower.length - 1);
    for (int k = 0; k < lower.length; k++) {
      unbounded |= (lower[k] == Double.NEGATIVE_INFINITY ? 1 : 0) << k;
    }
  }

  double lower(int parameter) {
    return lower[parameter];
  }

  Solution best() {
    List<double[]> starts =
        Arrays.stream(model.starts(points.places)).map(this::withBestLevel).toList();
    return best(starts, 0);
  }

  /** The best solution with one parameter held, starting from another solution. */
  Solution holding(int index, double value, Solution near) {
    double[] start = near.all().clone();
    start[index] = value;
    return best(List.of(start), 1 << index);
  }

  /** The derivatives of a row's value by the logarithms, at a place. */
  double[] slopes(double n, double[] all) {
    double[] slopes = new double[all.length];
    points.curve(model, n, all, slopes);
    for (int k = 0; k < all.length; k++) {
      slopes[k] *= scale(k, all[k]);
    }
    return slopes;
  }

  /** The derivative of a parameter by its logarithm. */
  double scale(int k, double value) {
    return lower[k] == Double.NEGATIVE_INFINITY ? 1 : value - lower[k];
  }

  private double toLog(int k, double value) {
    return lower[k] == Double.NEGATIVE_INFINITY
        ? value
        : Math.log(value > lower[k] ? value - lower[k] : OFF_THE_BOUND);
  }

  private double fromLog(int k, double log) {
    return lower[k] == Double.NEGATIVE_INFINITY ? log : lower[k] + Math.exp(log);
  }

  private double[] withBestLevel(double[] theta) {
    double[] all = new double[lower.length];
    System.arraycopy(theta, 0, all, 1, theta.length);
    all[0] = points.bestLevel(model, theta);
    return all;
  }

  /**
   * The best solution, with any of the parameters at their bounds.
   *
   * @param held parameters that stay as they are, as bits
   */
  private Solution best(List<double[]> starts, int held) {
    Solution best = new Solution(starts.get(0), Double.POSITIVE_INFINITY);
    for (int atBound = 0; atBound < 1 << lower.length; atBound++) {
      for (double[] start : (atBound & (held | unbounded)) == 0 ? starts : List.<double[]>of()) {
        double[] from = start.clone();
        for (int k = 0; k < from.length; k++) {
          from[k] = (atBound & 1 << k) != 0 ? lower[k] : from[k];
        }
        Solution found = new Descent(from, held | atBound).solve();
        best = found.rss() < best.rss() * (atBound > 0 ? NO_MORE : 1) ? found : best;
      }
    }
    return best;
  }

  /** The residuals over the open parameters, remembering the best solution seen. */
  private final class Descent implements MultivariateJacobianFunction {
    private final double[] start;
    private final int[] open;
    private Solution best;

    Descent(double[] start, int held) {
      this.start = start;
      this.open = IntStream.range(0, start.length).filter(k -> (held & 1 << k) == 0).toArray();
      this.best = new Solution(start, Double.POSITIVE_INFINITY);
    }

    Solution solve() {
      double[] from = Arrays.stream(open).mapToDouble(k -> toLog(k, start[k])).toArray();
      if (open.length == 0) {
        value(new ArrayRealVector(from));
        return best;
      }
      int rows = points.places.length;
      try {
        new LevenbergMarquardtOptimizer()
            .withCostRelativeTolerance(COST_TOLERANCE)
            .withParameterRelativeTolerance(PARAMETER_TOLERANCE)
            .optimize(
                LeastSquaresFactory.create(
                    this,
                    new ArrayRealVector(rows),
                    new ArrayRealVector(from, false),
                    null,
                    MAX_EVALUATIONS,
                    MAX_EVALUATIONS));
      } catch (MathRuntimeException e) {
        return best; // it ran out of steps or precision: the best point seen stands
      }
      return best;
    }

    @Override
    public Pair<RealVector, RealMatrix> value(RealVector at) {
      double[] all = start.clone();
      for (int k = 0; k < open.length; k++) {
        all[open[k]] = fromLog(open[k], at.getEntry(k));
      }
      double[] places = points.places;
      double[] fitted = new double[places.length];
      double[][] columns = new double[places.length][open.length];
      double rss = points.within;
      boolean exists = true;
      for (int i = 0; i < places.length; i++) {
        double weight = points.weights[i];
        double curve = points.curve(model, places[i], all, new double[all.length]);
        exists &= Double.isFinite(curve);
        fitted[i] = weight * (curve - points.means[i]);
        rss += fitted[i] * fitted[i];
        double[] slopes = slopes(places[i], all);
        for (int k = 0; k < open.length; k++) {
          columns[i][k] = weight * slopes[open[k]];
        }
      }
      if (!exists) {
        Arrays.fill(fitted, NO_CURVE);
        Arrays.stream(columns).forEach(row -> Arrays.fill(row, 0));
      } else if (rss < best.rss()) {
        best = new Solution(all, rss);
      }
      return new Pair<>(
          new ArrayRealVector(fitted, false),
          columns.length == 0 || open.length == 0
              ? new Array2DRowRealMatrix(1, 1)
              : new Array2DRowRealMatrix(columns, false));
    }
  }
}
