package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;

/**
 * The smallest relevant difference and its direction.
 *
 * @param better which way the response improves
 * @param delta the smallest relevant change of the ratio, 0.03 for 3 %
 */
public record ComparisonRule(Direction better, double delta) {
  /** Which way a response improves. */
  public enum Direction {
    /** More is better, as of throughput. */
    HIGHER,
    /** Less is better, as of latency or CPU time an operation. */
    LOWER
  }

  /** Throughput-like: more is better, 3 % matters. */
  public static final ComparisonRule HIGHER_IS_BETTER = new ComparisonRule(Direction.HIGHER, 0.03);

  /** Throws {@link BadDataException} if delta is not between 0 and 1. */
  public ComparisonRule {
    if (!(delta > 0 && delta < 1)) {
      throw BadDataException.of(
          "The smallest relevant difference must lie between 0 and 1, as 0.03 does, but is %s.",
          delta);
    }
  }

  Verdict verdict(double low, double high) {
    if (low > 1 + delta) {
      return better == Direction.HIGHER ? Verdict.BETTER : Verdict.WORSE;
    }
    if (high < 1 - delta) {
      return better == Direction.HIGHER ? Verdict.WORSE : Verdict.BETTER;
    }
    boolean inside = low > 1 - delta && high < 1 + delta;
    return inside ? Verdict.NO_RELEVANT_DIFFERENCE : Verdict.NOT_ENOUGH_RUNS;
  }
}
