package io.pyrometer.analysis.scalability;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresFactory;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresProblem;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/**
 * Least squares with lower bounds: Levenberg–Marquardt over the parameters that are neither held
 * nor at their bound. Which ones lie at a bound is found by trying: with at most four bounded
 * parameters that is exact and quick.
 */
final class BoundedLeastSquares {
  /** Near rounding: a tenth of a digit in the sum of squares is three in a parameter. */
  private static final double COST_TOLERANCE = 4e-16;

  private static final double PARAMETER_TOLERANCE = 1e-11;
  private static final int MOST_EVALUATIONS = 400;

  private final Residuals residuals;
  private final double[] lower;

  /**
   * Makes the engine.
   *
   * @param lower bounds of θ; the level has none
   */
  BoundedLeastSquares(Residuals residuals, double[] lower) {
    this.residuals = residuals;
    this.lower = new double[lower.length + 1];
    this.lower[0] = Double.NEGATIVE_INFINITY;
    System.arraycopy(lower, 0, this.lower, 1, lower.length);
  }

  /** The best solution from several starts of θ. */
  Solution best(double[][] starts) {
    List<double[]> from = new ArrayList<>();
    for (double[] theta : starts) {
      from.add(Solution.of(withLevel(theta), 0).all());
    }
    return best(from, new boolean[lower.length]);
  }

  /** The best solution with one parameter held, starting from another solution. */
  Solution holding(int index, double value, Solution near) {
    double[] start = near.all();
    start[index] = value;
    boolean[] held = new boolean[start.length];
    held[index] = true;
    return best(List.of(start), held);
  }

  /** The best solution from another one. */
  Solution near(Solution start) {
    return best(List.of(start.all()), new boolean[lower.length]);
  }

  private double[] withLevel(double[] theta) {
    double[] all = new double[theta.length + 1];
    all[0] = residuals.bestLevel(theta);
    System.arraycopy(theta, 0, all, 1, theta.length);
    return all;
  }

  private Solution best(List<double[]> starts, boolean[] held) {
    Solution free = leastOf(starts, held, false);
    if (feasible(free)) {
      return free;
    }
    Solution best = leastOf(starts, held, true);
    for (int subset = 1; subset < 1 << lower.length; subset++) {
      if (atBounds(subset, held)) {
        Solution candidate = leastOf(bounded(starts, subset), union(held, subset), true);
        best = candidate.rss() < best.rss() ? candidate : best;
      }
    }
    return best;
  }

  /** Whether a subset names only parameters that have a bound and are not held already. */
  private boolean atBounds(int subset, boolean[] held) {
    for (int i = 0; i < lower.length; i++) {
      if ((subset & 1 << i) != 0 && (held[i] || lower[i] == Double.NEGATIVE_INFINITY)) {
        return false;
      }
    }
    return true;
  }

  private List<double[]> bounded(List<double[]> starts, int subset) {
    return starts.stream()
        .map(
            start -> {
              double[] moved = start.clone();
              for (int i = 0; i < moved.length; i++) {
                moved[i] = (subset & 1 << i) != 0 ? lower[i] : Math.max(lower[i], moved[i]);
              }
              return moved;
            })
        .toList();
  }

  private static boolean[] union(boolean[] held, int subset) {
    boolean[] both = held.clone();
    for (int i = 0; i < both.length; i++) {
      both[i] |= (subset & 1 << i) != 0;
    }
    return both;
  }

  private boolean feasible(Solution solution) {
    double[] all = solution.all();
    for (int i = 0; i < all.length; i++) {
      if (all[i] < lower[i]) {
        return false;
      }
    }
    return true;
  }

  private Solution leastOf(List<double[]> starts, boolean[] held, boolean feasibleOnly) {
    Solution best = Solution.of(starts.get(0), Double.POSITIVE_INFINITY);
    for (double[] start : starts) {
      Solution solution = solve(start, held);
      if (solution.rss() < best.rss() && (!feasibleOnly || feasible(solution))) {
        best = solution;
      }
    }
    return best;
  }

  private Solution solve(double[] start, boolean[] held) {
    int[] open = IntStream.range(0, held.length).filter(i -> !held[i]).toArray();
    Descent descent = new Descent(start, open);
    if (open.length == 0) {
      descent.residualsAt(start, new double[residuals.points()][start.length]);
      return descent.best();
    }
    RealVector from = new ArrayRealVector(Arrays.stream(open).mapToDouble(i -> start[i]).toArray());
    LeastSquaresProblem problem =
        LeastSquaresFactory.create(
            descent,
            new ArrayRealVector(residuals.points()),
            from,
            null,
            MOST_EVALUATIONS,
            MOST_EVALUATIONS);
    try {
      new LevenbergMarquardtOptimizer()
          .withCostRelativeTolerance(COST_TOLERANCE)
          .withParameterRelativeTolerance(PARAMETER_TOLERANCE)
          .optimize(problem);
    } catch (MathRuntimeException e) {
      return descent.best(); // it ran out of steps or precision: the best point seen stands
    }
    return descent.best();
  }

  /** The residuals over the open parameters, remembering the best point seen. */
  private final class Descent implements MultivariateJacobianFunction {
    private final double[] point;
    private final int[] open;
    private Solution best;

    Descent(double[] start, int[] open) {
      this.point = start.clone();
      this.open = open;
      this.best = Solution.of(start, Double.POSITIVE_INFINITY);
    }

    Solution best() {
      return best;
    }

    double[] residualsAt(double[] all, double[][] jacobian) {
      double[] left = residuals.at(all, jacobian);
      double rss = residuals.squares(left);
      if (rss < best.rss()) {
        best = Solution.of(all, rss);
      }
      return left;
    }

    @Override
    public Pair<RealVector, RealMatrix> value(RealVector at) {
      double[] all = point.clone();
      for (int k = 0; k < open.length; k++) {
        all[open[k]] = at.getEntry(k);
      }
      double[][] jacobian = new double[residuals.points()][all.length];
      double[] left = residualsAt(all, jacobian);
      double[][] columns = new double[left.length][open.length];
      double[] fitted = new double[left.length];
      for (int i = 0; i < left.length; i++) {
        fitted[i] = -left[i];
        for (int k = 0; k < open.length; k++) {
          columns[i][k] = jacobian[i][open[k]];
        }
      }
      return new Pair<>(
          new ArrayRealVector(fitted, false), new Array2DRowRealMatrix(columns, false));
    }
  }
}
