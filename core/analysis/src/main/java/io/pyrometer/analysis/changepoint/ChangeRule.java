package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.BadDataException;

/**
 * What counts as a change.
 *
 * @param level the p below which it is sure
 * @param smallest the smallest relevant change, 0.05 for 5 %
 */
public record ChangeRule(double level, double smallest) {
  /**
   * For runs of several blocks: a false change in at most one of twenty looks at all figures, at
   * least 5 %.
   */
  public static final ChangeRule OF_RUNS = new ChangeRule(0.05, 0.05);

  /** Throws {@link BadDataException} if the figures are out of range. */
  public ChangeRule {
    if (!(level > 0 && level < 1) || !(smallest >= 0 && smallest < 1)) {
      throw BadDataException.of(
          "A change cannot be judged at level %s and smallest size %s; the default is 0.05 and"
              + " 0.05.",
          level, smallest);
    }
  }
}
