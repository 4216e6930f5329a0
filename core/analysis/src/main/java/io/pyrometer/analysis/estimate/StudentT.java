package io.pyrometer.analysis.estimate;

import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.distribution.continuous.TDistribution;

/** Student's t distribution with any positive number of degrees of freedom. */
public final class StudentT {
  private static final NormalDistribution NORMAL = new NormalDistribution();

  private StudentT() {}

  /** The t beyond which, on both sides together, lies 1−confidence. */
  public static double twoSided(double confidence, double degreesOfFreedom) {
    return quantile((1 + confidence) / 2, degreesOfFreedom);
  }

  /** The t below which lies {@code probability}, 0 &lt; probability &lt; 1. */
  public static double quantile(double probability, double degreesOfFreedom) {
    return new TDistribution(degreesOfFreedom).inverseCumulativeProbability(probability);
  }

  /** The probability of a standard normal value above the one given. */
  public static double normalAbove(double z) {
    return NORMAL.cumulativeProbability(-z);
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
