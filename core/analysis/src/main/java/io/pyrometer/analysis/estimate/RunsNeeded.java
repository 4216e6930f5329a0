package io.pyrometer.analysis.estimate;

import java.util.OptionalInt;

/** How many replicates an interval of a wanted width takes, by Student's t. */
public final class RunsNeeded {
  /** More replicates than anybody will make; a plan that needs more is no plan. */
  public static final int MOST = 1000;

  private RunsNeeded() {}

  /**
   * The least n of at least 2 with t(n−1)·sd/√n ≤ halfWidth, both in the same unit.
   *
   * @return empty if it is more than {@link #MOST}
   */
  public static OptionalInt forHalfWidth(double sd, double halfWidth, double confidence) {
    double fewest = Math.pow(StudentT.normal((1 + confidence) / 2) * sd / halfWidth, 2);
    if (!(fewest <= MOST)) {
      return OptionalInt.empty();
    }
    for (int n = Math.max(2, (int) Math.floor(fewest)); n <= MOST; n++) {
      if (enough(n, sd, halfWidth, confidence)) {
        return OptionalInt.of(n);
      }
    }
    return OptionalInt.empty();
  }

  private static boolean enough(int n, double sd, double halfWidth, double confidence) {
    return StudentT.twoSided(confidence, n - 1.0) * sd <= halfWidth * Math.sqrt(n);
  }
}
