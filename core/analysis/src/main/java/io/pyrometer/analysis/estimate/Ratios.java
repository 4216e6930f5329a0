package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;

/**
 * Ratios of a candidate to a baseline. All take values above 0 and throw {@link BadDataException}.
 */
public final class Ratios {
  private Ratios() {}

  /**
   * The geometric mean of the ratios within blocks and its log-t interval. Drift that a block's two
   * runs share cancels.
   *
   * @param baseline at least two values, one a block
   * @param candidate the value of the same block at the same index
   */
  public static RatioEstimate paired(double[] baseline, double[] candidate, double confidence) {
    double[] logs = logRatios(baseline, candidate);
    Samples.checked(logs, 2, "the pairs");
    int n = logs.length;
    double sd = Math.sqrt(Samples.variance(logs));
    return RatioEstimate.ofLogs(Samples.mean(logs), sd / Math.sqrt(n), sd, n - 1.0, n, confidence);
  }

  /** ln(candidate/baseline) of each pair. */
  public static double[] logRatios(double[] baseline, double[] candidate) {
    Samples.positive(baseline, 1, "the baseline");
    Samples.positive(candidate, 1, "the candidate");
    if (baseline.length != candidate.length) {
      throw BadDataException.of(
          "Pairs need as many runs of the candidate (%d) as of the baseline (%d).",
          candidate.length, baseline.length);
    }
    double[] logs = new double[baseline.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(candidate[i] / baseline[i]);
    }
    return logs;
  }

  /**
   * The ratio of the geometric means by Welch's t on the logarithms, for runs that share no blocks.
   */
  public static RatioEstimate welch(double[] baseline, double[] candidate, double confidence) {
    double[] a = Samples.ln(Samples.positive(baseline, 2, "the baseline"));
    double[] b = Samples.ln(Samples.positive(candidate, 2, "the candidate"));
    Welch welch = Welch.of(a, b);
    double sd = Math.sqrt(Samples.variance(a) + Samples.variance(b));
    return RatioEstimate.ofLogs(
        Samples.mean(b) - Samples.mean(a),
        welch.standardError(),
        sd,
        welch.degreesOfFreedom(),
        Math.min(a.length, b.length),
        confidence);
  }
}
