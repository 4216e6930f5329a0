package io.pyrometer.analysis.comparison;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Equal values among samples. */
final class Ties {
  private Ties() {}

  /** Σ(t³ − t) over the groups of t equal values in both samples together. */
  static double cubes(double[] x, double[] y) {
    double[] all = DoubleStream.concat(Arrays.stream(x), Arrays.stream(y)).sorted().toArray();
    double sum = 0;
    for (int from = 0, to = 0; from < all.length; from = to) {
      while (to < all.length && all[to] == all[from]) {
        to++;
      }
      double t = to - from;
      sum += t * t * t - t;
    }
    return sum;
  }
}
