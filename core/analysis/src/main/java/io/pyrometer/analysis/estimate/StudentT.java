package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.Samples;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;

/** Student's t distribution with any positive number of degrees of freedom. */
public final class StudentT {
  private static final NormalDistribution NORMAL = new NormalDistribution();
  private static final int MOST_STEPS = 50;

  private StudentT() {}

  /** The t beyond which, on both sides together, lies 1−confidence. */
  public static double twoSided(double confidence, double degreesOfFreedom) {
    return quantile((1 + Samples.confidence(confidence)) / 2, degreesOfFreedom);
  }

  /**
   * The t below which lies {@code probability}, 0 &lt; probability &lt; 1.
   *
   * <p>Newton's steps. Above the median the distribution is concave, so a step from below never
   * passes the answer and a step from a little above lands a little below: none can diverge.
   * Several times faster than the general solver, which matters where runs are planned or
   * simulated.
   */
  public static double quantile(double probability, double degreesOfFreedom) {
    if (probability < 0.5) {
      return -quantile(1 - probability, degreesOfFreedom);
    }
    TDistribution distribution = new TDistribution(degreesOfFreedom);
    double t = near(normal(probability), degreesOfFreedom);
    for (int step = 0; step < MOST_STEPS; step++) {
      double missing = probability - distribution.cumulativeProbability(t);
      double change = missing / distribution.density(t);
      t += change;
      if (Math.abs(change) <= 1e-13 * Math.abs(t)) {
        return t;
      }
    }
    return distribution.inverseCumulativeProbability(probability);
  }

  /** Three terms of the Cornish–Fisher expansion around the normal quantile, where they help. */
  private static double near(double z, double df) {
    if (df < 4) {
      return z;
    }
    double z2 = z * z;
    double first = z * (z2 + 1) / 4;
    double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
    return z + (first + second / df) / df;
  }

  /** The normal quantile, which every t quantile above the median exceeds. */
  public static double normal(double probability) {
    return NORMAL.inverseCumulativeProbability(probability);
  }

  /** The probability of a t below the one given. */
  public static double below(double t, double degreesOfFreedom) {
    return new TDistribution(degreesOfFreedom).cumulativeProbability(t);
  }

  /** The probability of a t at least as far from 0, on either side. */
  public static double twoSidedP(double t, double degreesOfFreedom) {
    return Math.min(1, 2 * below(-Math.abs(t), degreesOfFreedom));
  }
}
