package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.scalability.BoundedLeastSquares.Solution;
import org.hipparchus.analysis.solvers.BracketingNthOrderBrentSolver;
import org.hipparchus.exception.MathRuntimeException;

/**
 * Profile intervals: {θ: RSS(θ) ≤ RSS_min(1 + F(1, n−p; c)/(n−p))}, the other parameters fitted
 * anew for each θ. They bend with the model, where ± standard errors do not.
 */
final class Profile {
  private static final int MOST_STEPS = 40;
  private static final double GROWTH = 2;

  /** Beyond e^±4 times the value an interval of a throughput need not be followed. */
  private static final double WIDEST_CURVE = 4;

  private final BoundedLeastSquares engine;
  private final Solution best;

  /** How much the residual sum of squares may rise. */
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
    double t = StudentT.twoSided(confidence, df);
    this.threshold = t * t * best.rss() / noise;
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
    double outside = from;
    double stride = step;
    for (int i = 0; i < MOST_STEPS; i++) {
      double inside = outside;
      double next = outside + stride;
      outside = step < 0 ? Math.max(next, bound) : Math.min(next, bound);
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

  /**
   * The end of the interval of the curve at a place: the farthest throughput there with which the
   * points are not significantly at odds. It knows the parameters' bounds, where the delta method
   * takes a parameter at its bound as known.
   *
   * @param x from where to look
   * @param step of ln X, with its sign
   */
  double curveEnd(double n, double x, double step) {
    double from = Math.log(x);
    double inside = from;
    Solution near = best;
    for (double stride = step; Math.abs(inside - from) < WIDEST_CURVE; stride *= 1.6) {
      double outside = inside + stride;
      Solution there = engine.through(n, Math.exp(outside), near);
      if (there.rss() - best.rss() > threshold) {
        return Math.exp(bisected(n, inside, outside, near));
      }
      inside = outside;
      near = there;
    }
    return Math.exp(inside);
  }

  private double bisected(double n, double in, double out, Solution near) {
    double inside = in;
    double outside = out;
    while (Math.abs(outside - inside) > 2e-3) {
      double middle = (inside + outside) / 2;
      double more = engine.through(n, Math.exp(middle), near).rss() - best.rss();
      inside = more <= threshold ? middle : inside;
      outside = more <= threshold ? outside : middle;
    }
    return outside;
  }
}
