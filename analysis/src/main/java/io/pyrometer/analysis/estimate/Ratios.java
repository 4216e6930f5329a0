package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import java.util.Optional;

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

  /**
   * The ratio of the arithmetic means with Fieller's interval, unpaired, with Welch's degrees of
   * freedom: a check on {@link #welch}.
   *
   * @return empty if the baseline's mean is not told from 0, where no interval exists
   */
  public static Optional<Estimate> fieller(
      double[] baseline, double[] candidate, double confidence) {
    Samples.positive(baseline, 2, "the baseline");
    Samples.positive(candidate, 2, "the candidate");
    double x = Samples.mean(baseline);
    double y = Samples.mean(candidate);
    double varianceX = Samples.variance(baseline) / baseline.length;
    double varianceY = Samples.variance(candidate) / candidate.length;
    double t = StudentT.twoSided(confidence, Welch.of(baseline, candidate).degreesOfFreedom());
    double g = t * t * varianceX / (x * x);
    if (g >= 1) {
      return Optional.empty();
    }
    double ratio = y / x;
    double centre = ratio / (1 - g);
    double half = t / (x * (1 - g)) * Math.sqrt((1 - g) * varianceY + ratio * ratio * varianceX);
    int replicates = Math.min(baseline.length, candidate.length);
    return Optional.of(
        new Estimate(ratio, centre - half, centre + half, confidence, replicates, ""));
  }
}
