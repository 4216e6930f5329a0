package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.Estimate;

/**
 * A ratio candidate/baseline with the t test behind it.
 *
 * @param ratio the ratio and its interval, a pure number
 * @param logStandardDeviation of ln(candidate/baseline) in one pair, or of the difference of one
 *     run of each where they are not paired
 * @param t the t statistic of ln ratio = 0; 0 where nothing varies and nothing differs
 * @param degreesOfFreedom n−1 for pairs, Welch–Satterthwaite otherwise
 * @param p two-sided
 * @param pLower one-sided: the probability of a ratio as low as this if there were no difference
 */
public record RatioEstimate(
    Estimate ratio,
    double logStandardDeviation,
    double t,
    double degreesOfFreedom,
    double p,
    double pLower) {

  static RatioEstimate ofLogs(
      double logRatio,
      double standardError,
      double logStandardDeviation,
      double degreesOfFreedom,
      int replicates,
      double confidence) {
    double half = StudentT.twoSided(confidence, degreesOfFreedom) * standardError;
    Estimate ratio =
        new Estimate(
            Math.exp(logRatio),
            Math.exp(logRatio - half),
            Math.exp(logRatio + half),
            confidence,
            replicates,
            "");
    double t = studentised(logRatio, standardError);
    return new RatioEstimate(
        ratio,
        logStandardDeviation,
        t,
        degreesOfFreedom,
        StudentT.twoSidedP(t, degreesOfFreedom),
        StudentT.below(t, degreesOfFreedom));
  }

  /**
   * Without any spread a difference is as sure as can be: the largest t there is, never infinite.
   */
  private static double studentised(double difference, double standardError) {
    if (standardError > 0) {
      return difference / standardError;
    }
    return difference == 0 ? 0 : Math.copySign(1e150, difference);
  }
}
