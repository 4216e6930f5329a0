package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.estimate.StudentT;
import org.hipparchus.analysis.solvers.BracketingNthOrderBrentSolver;
import org.hipparchus.exception.MathRuntimeException;

/**
 * Profile intervals: {θ: RSS(θ) ≤ RSS_min(1 + F(1, n−p; c)/(n−p))}, the other parameters fitted
 * anew for each θ. They bend with the model, where ± standard errors do not.
 */
final class Profile {
  private static final int MOST_STEPS = 40;
  private static final double GROWTH = 2;

  private final BoundedLeastSquares engine;
  private final Solution best;
  private final double threshold;

  /**
   * Makes it.
   *
   * @param noise the degrees of freedom of the residual variance
   * @param df those of the parameter, which may be fewer
   */
  Profile(BoundedLeastSquares engine, Solution best, int noise, double df, double confidence) {
    this.engine = engine;
    this.best = best;
    this.threshold = threshold(best, noise, df, confidence);
  }

  /** How much the residual sum of squares may rise. */
  static double threshold(Solution best, int noise, double df, double confidence) {
    double t = StudentT.twoSided(confidence, df);
    return t * t * best.rss() / noise;
  }

  /** An end of an interval, and whether the points leave it open there. */
  record End(double value, boolean open) {}

  /**
   * The end of the interval of one parameter.
   *
   * @param index of the parameter, 0 for the level
   * @param step the first step from the best value, with its sign: about a standard error
   * @param bound that the parameter cannot pass, possibly infinite
   */
  End end(int index, double step, double bound) {
    double from = best.all()[index];
    if (threshold <= 0 || step == 0 || from == bound) {
      return new End(from, from == bound);
    }
    double inside = from;
    double outside = from;
    double stride = step;
    for (int i = 0; i < MOST_STEPS; i++) {
      inside = outside;
      outside = within(outside + stride, bound, step);
      if (excess(index, outside) > 0) {
        return new End(crossing(index, inside, outside), false);
      }
      if (outside == bound) {
        return new End(bound, true);
      }
      stride *= GROWTH;
      if (Math.abs(outside) > 1e9 * (1 + Math.abs(from))) {
        break;
      }
    }
    return new End(outside, true);
  }

  private static double within(double value, double bound, double step) {
    return step < 0 ? Math.max(value, bound) : Math.min(value, bound);
  }

  /** The root of the share of the threshold is close to a straight line in the parameter. */
  private double excess(int index, double value) {
    double more = engine.holding(index, value, best).rss() - best.rss();
    return Math.sqrt(Math.max(0, more) / threshold) - 1;
  }

  private double crossing(int index, double inside, double outside) {
    double accuracy = 1e-9 * Math.max(Math.abs(outside - inside), 1e-300);
    try {
      return new BracketingNthOrderBrentSolver(1e-12, accuracy, 1e-10, 5)
          .solve(
              100,
              value -> excess(index, value),
              Math.min(inside, outside),
              Math.max(inside, outside));
    } catch (MathRuntimeException e) {
      return outside; // the profile has a step here: the wider end is the honest one
    }
  }
}
