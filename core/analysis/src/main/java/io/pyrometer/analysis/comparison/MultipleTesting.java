package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Adjusted p values for several tests at once, each in the place of its own p. */
public final class MultipleTesting {
  private MultipleTesting() {}

  /** Holm's: keeps the chance of any false alarm; for the metrics of one gate. */
  public static double[] holm(double[] p) {
    int[] order = ascending(p);
    double[] adjusted = new double[p.length];
    double largest = 0;
    for (int i = 0; i < p.length; i++) {
      largest = Math.max(largest, Math.min(1, (p.length - i) * p[order[i]]));
      adjusted[order[i]] = largest;
    }
    return adjusted;
  }

  /** Benjamini and Hochberg's: keeps the share of false alarms among alarms; for a dashboard. */
  public static double[] benjaminiHochberg(double[] p) {
    int[] order = ascending(p);
    double[] adjusted = new double[p.length];
    double least = 1;
    for (int i = p.length - 1; i >= 0; i--) {
      least = Math.min(least, p.length * p[order[i]] / (i + 1.0));
      adjusted[order[i]] = least;
    }
    return adjusted;
  }

  private static int[] ascending(double[] p) {
    for (double each : p) {
      if (!(each >= 0 && each <= 1)) {
        throw BadDataException.of("A p value must lie between 0 and 1, but one is %s.", each);
      }
    }
    return IntStream.range(0, p.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> p[i]))
        .mapToInt(i -> i)
        .toArray();
  }
}
