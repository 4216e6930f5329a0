package io.pyrometer.analysis.simulation;

import java.util.Random;
import java.util.function.Predicate;

/**
 * Something said of data, and how often it may happen on made-up data whose truth is known.
 *
 * @param how the data are made
 * @param happens whether it happens in one case
 */
record Claim(String claim, String how, Limits limits, Predicate<Random> happens) {
  /**
   * Shares of cases in which it may happen, from 0 to 1.
   *
   * @param cases so many are made at full size
   */
  record Limits(int cases, double least, double most) {}

  /** The share of cases; a seed gives one share. */
  Simulated simulated(double size) {
    int n = Math.max(10, (int) Math.round(limits.cases * size));
    Random random = new Random(claim.hashCode() * 31L + how.hashCode());
    int count = 0;
    for (int i = 0; i < n; i++) {
      count += happens.test(random) ? 1 : 0;
    }
    return new Simulated(claim, how, count / (double) n, n, limits.least, limits.most);
  }
}
