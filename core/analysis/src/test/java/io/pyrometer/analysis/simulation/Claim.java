package io.pyrometer.analysis.simulation;

import java.util.Random;
import java.util.function.Predicate;

/**
 * Something said of data, and how often it may happen on made-up data whose truth is known.
 *
 * @param how the data are made
 * @param cases so many are made at full size
 * @param least the least share of cases in which it happens, from 0 to 1
 * @param most the largest
 */
record Claim(
    String claim, String how, int cases, double least, double most, Predicate<Random> happens) {

  /** The share of cases; a seed gives one share. */
  Simulated simulated(double size) {
    int n = Math.max(10, (int) Math.round(cases * size));
    Random random = new Random(claim.hashCode() * 31L + how.hashCode());
    int count = 0;
    for (int i = 0; i < n; i++) {
      count += happens.test(random) ? 1 : 0;
    }
    return new Simulated(claim, how, count / (double) n, n, least, most);
  }
}
