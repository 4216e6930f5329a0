package io.pyrometer.analysis.comparison;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Adjusted p values for several tests at once, each in the place of its own p. */
public final class MultipleTesting {
  private MultipleTesting() {}

  /** Holm's: keeps the chance of any false alarm. */
  public static double[] holm(double[] p) {
    return holm(p, p.length);
  }

  /**
   * Holm's, for tests that were chosen by their values out of a larger family.
   *
   * @param family the number of tests they were chosen from, at least that of p
   */
  public static double[] holm(double[] p, long family) {
    Integer[] order = IntStream.range(0, p.length).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingDouble(i -> p[i]));
    double[] adjusted = new double[p.length];
    double largest = 0;
    for (int i = 0; i < p.length; i++) {
      largest = Math.max(largest, Math.min(1, (family - i) * p[order[i]]));
      adjusted[order[i]] = largest;
    }
    return adjusted;
  }
}
