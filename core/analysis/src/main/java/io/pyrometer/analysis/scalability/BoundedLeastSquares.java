package io.pyrometer.analysis.scalability;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SingularValueDecomposition;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresFactory;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/**
 * A model's least squares with lower bounds: Levenberg–Marquardt over the parameters that are
 * neither held nor at their bound. Which ones lie at a bound is found by trying: with at most two
 * bounded parameters that is exact and quick.
 */
final class BoundedLeastSquares {
  /** Near rounding: a tenth of a digit in the sum of squares is three in a parameter. */
  private static final double COST_TOLERANCE = 4e-16;

  private static final double PARAMETER_TOLERANCE = 1e-11;
  private static final int MOST_EVALUATIONS = 400;

  /** The residual of every row where the curve does not exist at some point. */
  private static final double NO_CURVE = 1e6;

  /** The weight of the place that the curve is made to pass through outweighs all points. */
  private static final double THROUGH_WEIGHT = 1e5;

  private final Model model;
  private final PooledPoints points;

  /** Of all parameters; the level has none. */
  private final double[] lower;

  private final Optional<Place> through;

  /** A place that the curve is made to pass through. */
  private record Place(double n, double lnX) {}

  /**
   * A solution.
   *
   * @param all the level (λ, or ln λ) in scaled units, then θ
   * @param rss the residual sum of squares in scaled units
   */
  @SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
  record Solution(double[] all, double rss) {
    double level() {
      return all[0];
    }

    double[] theta() {
      return Arrays.copyOfRange(all, 1, all.length);
    }
  }

  BoundedLeastSquares(Model model, PooledPoints points) {
    this(model, points, lower(model, points.options().physical()), Optional.empty());
  }

  private BoundedLeastSquares(
      Model model, PooledPoints points, double[] lower, Optional<Place> through) {
    this.model = model;
    this.points = points;
    this.lower = lower;
    this.through = through;
  }

  private static double[] lower(Model model, boolean physical) {
    double[] lower = new double[model.parameters()];
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    if (physical) {
      System.arraycopy(model.lowerBounds(), 0, lower, 1, lower.length - 1);
    }
    return lower;
  }

  /** The least value of each parameter, the level first. */
  double[] lower() {
    return lower.clone();
  }

  /** The best solution from the model's starts of θ, each with its best level. */
  Solution best() {
    List<double[]> starts =
        Stream.of(model.starts(points.places())).map(this::withBestLevel).toList();
    return best(starts, new boolean[lower.length]);
  }

  /** The best solution with one parameter held, starting from another solution. */
  Solution holding(int index, double value, Solution near) {
    double[] start = near.all().clone();
    start[index] = value;
    boolean[] held = new boolean[start.length];
    held[index] = true;
    return best(List.of(start), held);
  }

  /** The best solution whose curve passes through a throughput, from another solution. */
  Solution through(double n, double throughput, Solution near) {
    Place place = new Place(n, points.lnX(throughput));
    return new BoundedLeastSquares(model, points, lower, Optional.of(place))
        .best(List.of(near.all()), new boolean[lower.length]);
  }

  /** The derivatives of the rows at a solution. */
  double[][] jacobian(Solution at) {
    double[][] jacobian = new double[rows()][lower.length];
    residuals(at.all(), jacobian);
    return jacobian;
  }

  private double[] withBestLevel(double[] theta) {
    double[] all = new double[lower.length];
    System.arraycopy(theta, 0, all, 1, theta.length);
    double[][] jacobian = new double[rows()][all.length];
    double[] atLevel0 = residuals(all, jacobian);
    double products = 0;
    double squares = 0;
    for (int i = 0; i < atLevel0.length; i++) {
      products += jacobian[i][0] * atLevel0[i];
      squares += jacobian[i][0] * jacobian[i][0];
    }
    all[0] = squares > 0 ? products / squares : points.isLog() ? 0 : 1;
    return all;
  }

  private int rows() {
    return points.places().length + (through.isPresent() ? 1 : 0);
  }

  private double[] residuals(double[] all, double[][] jacobian) {
    double[] residuals = new double[rows()];
    boolean exists = points.rows(model, all, residuals, jacobian);
    if (exists && through.isPresent()) {
      int row = residuals.length - 1;
      double curve = points.curve(model, through.get().n(), all, jacobian[row]);
      double weight = Math.sqrt(THROUGH_WEIGHT);
      double target = through.get().lnX();
      exists = points.isLog() ? !Double.isNaN(curve) : curve > 0;
      residuals[row] =
          weight * (points.isLog() ? target - curve : curve * (target - Math.log(curve)));
      for (int k = 0; k < all.length; k++) {
        jacobian[row][k] *= weight;
      }
    }
    if (!exists) {
      Arrays.fill(residuals, NO_CURVE);
      for (double[] row : jacobian) {
        Arrays.fill(row, 0);
      }
    }
    return residuals;
  }

  private Solution best(List<double[]> starts, boolean[] held) {
    Solution free = least(starts, held, false);
    if (feasible(free)) {
      return free;
    }
    Solution best = least(starts, held, true);
    for (int subset = 1; subset < 1 << lower.length; subset++) {
      if (atBounds(subset, held)) {
        boolean[] fixed = held.clone();
        for (int i = 0; i < fixed.length; i++) {
          fixed[i] |= (subset & 1 << i) != 0;
        }
        Solution candidate = least(bounded(starts, subset), fixed, true);
        best = candidate.rss() < best.rss() ? candidate : best;
      }
    }
    return best;
  }

  /** Whether a subset names only parameters that have a bound and are not held already. */
  private boolean atBounds(int subset, boolean[] held) {
    return IntStream.range(0, lower.length)
        .filter(i -> (subset & 1 << i) != 0)
        .noneMatch(i -> held[i] || lower[i] == Double.NEGATIVE_INFINITY);
  }

  private List<double[]> bounded(List<double[]> starts, int subset) {
    return starts.stream()
        .map(
            start ->
                IntStream.range(0, start.length)
                    .mapToDouble(
                        i -> (subset & 1 << i) != 0 ? lower[i] : Math.max(lower[i], start[i]))
                    .toArray())
        .toList();
  }

  private boolean feasible(Solution solution) {
    return IntStream.range(0, lower.length).allMatch(i -> solution.all()[i] >= lower[i]);
  }

  private Solution least(List<double[]> starts, boolean[] held, boolean feasibleOnly) {
    Solution best = new Solution(starts.get(0), Double.POSITIVE_INFINITY);
    for (double[] start : starts) {
      Solution solution = new Descent(start, held).solve();
      if (solution.rss() < best.rss() && (!feasibleOnly || feasible(solution))) {
        best = solution;
      }
    }
    return best;
  }

  /** The residuals over the open parameters, remembering the best solution seen. */
  private final class Descent implements MultivariateJacobianFunction {
    private final double[] start;
    private final int[] open;
    private Solution best;

    Descent(double[] start, boolean[] held) {
      this.start = start;
      this.open = IntStream.range(0, held.length).filter(i -> !held[i]).toArray();
      this.best = new Solution(start, Double.POSITIVE_INFINITY);
    }

    Solution solve() {
      if (open.length == 0) {
        evaluate(start, new double[rows()][start.length]);
        return best;
      }
      double[] from = Arrays.stream(open).mapToDouble(i -> start[i]).toArray();
      try {
        new LevenbergMarquardtOptimizer()
            .withCostRelativeTolerance(COST_TOLERANCE)
            .withParameterRelativeTolerance(PARAMETER_TOLERANCE)
            .optimize(
                LeastSquaresFactory.create(
                    this,
                    new ArrayRealVector(rows()),
                    new ArrayRealVector(from, false),
                    null,
                    MOST_EVALUATIONS,
                    MOST_EVALUATIONS));
      } catch (MathRuntimeException e) {
        return best; // it ran out of steps or precision: the best point seen stands
      }
      return best;
    }

    private RealVector evaluate(double[] all, double[][] jacobian) {
      RealVector residuals = new ArrayRealVector(residuals(all, jacobian), false);
      double rss = residuals.dotProduct(residuals) + points.within();
      if (rss < best.rss()) {
        best = new Solution(all, rss);
      }
      return residuals;
    }

    @Override
    public Pair<RealVector, RealMatrix> value(RealVector at) {
      double[] all = start.clone();
      for (int k = 0; k < open.length; k++) {
        all[open[k]] = at.getEntry(k);
      }
      double[][] jacobian = new double[rows()][all.length];
      RealVector residuals = evaluate(all, jacobian);
      double[][] columns = new double[jacobian.length][open.length];
      for (int i = 0; i < columns.length; i++) {
        for (int k = 0; k < open.length; k++) {
          columns[i][k] = jacobian[i][open[k]];
        }
      }
      return new Pair<>(residuals.mapMultiply(-1), new Array2DRowRealMatrix(columns, false));
    }
  }

  /**
   * The fit as a straight plane at its solution: the covariance (JᵀJ)⁻¹·RSS/(n−p) of the parameters
   * is F·Fᵀ. The factor F is numerically stable where parameters are nearly collinear. Parameters
   * at a bound are known, and have neither error nor covariance.
   *
   * @param factor F, a row for each parameter
   * @param condition the ratio of the largest singular value of the column-scaled Jacobian to the
   *     least
   */
  @SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
  record Linearised(double[][] factor, double condition) {
    /** A condition so bad that it can only be said to be bad. */
    private static final double WORST = 1e12;

    /**
     * Of the parameters that do not lie at their bound.
     *
     * @param sd of a residual
     */
    static Linearised at(RealMatrix jacobian, double[] solution, double[] lower, double sd) {
      int[] open =
          IntStream.range(0, solution.length).filter(k -> solution[k] > lower[k]).toArray();
      double[] lengths = new double[open.length];
      RealMatrix scaled = new Array2DRowRealMatrix(jacobian.getRowDimension(), open.length);
      for (int c = 0; c < open.length; c++) {
        double norm = jacobian.getColumnVector(open[c]).getNorm();
        lengths[c] = norm > 0 ? norm : 1;
        scaled.setColumnVector(c, jacobian.getColumnVector(open[c]).mapDivide(lengths[c]));
      }
      SingularValueDecomposition svd = new SingularValueDecomposition(scaled);
      double[] singular = svd.getSingularValues();
      double[][] factor = new double[solution.length][singular.length];
      for (int a = 0; a < open.length; a++) {
        for (int e = 0; e < singular.length; e++) {
          boolean independent = singular[e] >= 1 / WORST;
          factor[open[a]][e] =
              independent ? sd * svd.getV().getEntry(a, e) / (singular[e] * lengths[a]) : 0;
        }
      }
      return new Linearised(factor, Math.min(svd.getConditionNumber(), WORST));
    }

    /**
     * Fᵀg for the gradient of a function of the parameters: the root of its squares is the error.
     */
    private double[] along(double[] gradient) {
      double[] along = new double[factor[0].length];
      for (int k = 0; k < gradient.length; k++) {
        for (int e = 0; e < along.length; e++) {
          along[e] += gradient[k] * factor[k][e];
        }
      }
      return along;
    }

    /** Of a function of the parameters, by its gradient. */
    double standardError(double[] gradient) {
      return Math.sqrt(Arrays.stream(along(gradient)).map(a -> a * a).sum());
    }

    /** The covariance of the level with a function of the parameters. */
    double covarianceOfLevel(double[] gradient) {
      double[] along = along(gradient);
      return IntStream.range(0, along.length).mapToDouble(e -> factor[0][e] * along[e]).sum();
    }

    double standardError(int parameter) {
      return Math.sqrt(Arrays.stream(factor[parameter]).map(f -> f * f).sum());
    }
  }
}
