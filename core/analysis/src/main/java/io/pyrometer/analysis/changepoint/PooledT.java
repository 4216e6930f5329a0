package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.estimate.StudentT;

/** Student's two-sample t test with one common variance, from each side's summary. */
final class PooledT {
  private PooledT() {}

  /** A side's mean, variance and number of values. */
  record Side(double mean, double variance, int n) {}

  /**
   * The two-sided probability of means so far apart if they were equal; of 2 values a side or more.
   */
  static double p(Side a, Side b) {
    double df = a.n() + b.n() - 2.0;
    double pooled = ((a.n() - 1) * a.variance() + (b.n() - 1) * b.variance()) / df;
    double error = Math.sqrt(pooled * (1.0 / a.n() + 1.0 / b.n()));
    double difference = b.mean() - a.mean();
    if (error == 0) {
      return difference == 0 ? 1 : 0;
    }
    return StudentT.twoSidedP(difference / error, df);
  }
}
