package io.pyrometer.analysis.scalability;

import java.util.List;
import java.util.stream.IntStream;

/** Points of tests. */
public final class Points {
  private Points() {}

  /** From arrays of the same length. */
  public static List<ScalePoint> of(double[] n, double[] throughputs) {
    return IntStream.range(0, n.length)
        .mapToObj(i -> new ScalePoint(n[i], throughputs[i]))
        .toList();
  }
}
