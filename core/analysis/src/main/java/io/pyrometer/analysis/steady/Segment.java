package io.pyrometer.analysis.steady;

/**
 * A stretch of samples with one mean and one variance.
 *
 * @param from index of its first sample
 * @param to index after its last
 * @param mean in the samples' unit
 * @param variance the maximum-likelihood one (divided by n), in the unit squared
 */
public record Segment(int from, int to, double mean, double variance) {
  /** The number of samples. */
  public int length() {
    return to - from;
  }

  /** The square root of the variance. */
  public double standardDeviation() {
    return Math.sqrt(variance);
  }
}
