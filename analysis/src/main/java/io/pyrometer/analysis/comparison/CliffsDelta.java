package io.pyrometer.analysis.comparison;

/** Cliff's δ: how often one sample's values exceed another's, beyond the reverse. */
public final class CliffsDelta {
  private CliffsDelta() {}

  /** P(x &gt; y) − P(x &lt; y) over all pairs: 1 where every x is larger, 0 where neither is. */
  public static double of(double[] x, double[] y) {
    double pairs = (double) x.length * y.length;
    return 2 * MannWhitney.of(x, y).u() / pairs - 1;
  }
}
