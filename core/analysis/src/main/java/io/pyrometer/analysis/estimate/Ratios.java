package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;

/**
 * Ratios of a candidate to a baseline. All take values above 0 and throw {@link BadDataException}.
 */
public final class Ratios {
  private Ratios() {}

  /**
   * ln of the geometric mean of the ratios within blocks, by the paired t test. Drift that a
   * block's two runs share cancels.
   *
   * @param baseline at least two values, one a block
   * @param candidate the value of the same block at the same index
   */
  public static Contrast paired(double[] baseline, double[] candidate) {
    return Contrast.ofMean(Samples.checked(logRatios(baseline, candidate), 2, "the pairs"));
  }

  /** ln(candidate/baseline) of each pair. */
  public static double[] logRatios(double[] baseline, double[] candidate) {
    Samples.positive(baseline, 1, "the baseline");
    Samples.positive(candidate, 1, "the candidate");
    if (baseline.length != candidate.length) {
      throw BadDataException.of("Pairs of %d and %d values.", candidate.length, baseline.length);
    }
    double[] logs = new double[baseline.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(candidate[i] / baseline[i]);
    }
    return logs;
  }
}
