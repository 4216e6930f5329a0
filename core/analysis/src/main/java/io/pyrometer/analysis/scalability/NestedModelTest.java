package io.pyrometer.analysis.scalability;

import org.hipparchus.distribution.continuous.FDistribution;

/**
 * Whether a model with one parameter more fits significantly better than the one it contains.
 *
 * @param f (RSS₀ − RSS₁)/(RSS₁/(n−p₁))
 * @param p the probability of so large an f if the smaller model were true
 */
public record NestedModelTest(Model smaller, Model larger, double f, double p) {
  private static final double LARGEST = 1e150;
  private static final double EXACT = 1e-20;

  static NestedModelTest of(LawFit smaller, LawFit larger) {
    return of(smaller, larger, larger.model().parameters() - smaller.model().parameters());
  }

  /** As if the larger model had so many parameters more; also for two of the same number. */
  static NestedModelTest of(LawFit smaller, LawFit larger, int least) {
    int extra = Math.max(least, larger.model().parameters() - smaller.model().parameters());
    // Where the smaller one is exact but for rounding, nothing is left to gain.
    boolean exact = smaller.scale() == FitScale.LOG && smaller.rss() < EXACT;
    double gained = exact ? 0 : Math.max(0, smaller.rss() - larger.rss()) / extra;
    double left = larger.rss() / larger.degreesOfFreedom();
    double f = gained == 0 ? 0 : Math.min(LARGEST, gained / Math.max(left, Double.MIN_NORMAL));
    double below = new FDistribution(extra, larger.degreesOfFreedom()).cumulativeProbability(f);
    return new NestedModelTest(smaller.model(), larger.model(), f, 1 - below);
  }
}
