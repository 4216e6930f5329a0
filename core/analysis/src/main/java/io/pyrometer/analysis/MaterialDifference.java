package io.pyrometer.analysis;

/**
 * When a value that is significantly far from what the others predict is worth naming. Values that
 * agree to many digits make any difference in the last ones significant; one that nobody would act
 * on, or that is not seen in the figures of a sentence, is no outlier.
 */
public final class MaterialDifference {
  /** A third of the smallest relevant difference, and visible in four digits. */
  public static final double LEAST_SHARE = 0.01;

  private MaterialDifference() {}

  /** Whether the two differ by 1 % or more of the larger. */
  public static boolean between(double value, double expected) {
    double larger = Math.max(Math.abs(value), Math.abs(expected));
    return Math.abs(value - expected) >= LEAST_SHARE * larger && larger > 0;
  }
}
