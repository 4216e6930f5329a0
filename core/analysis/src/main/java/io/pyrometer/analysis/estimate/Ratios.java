package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;

/**
 * Ratios of a candidate to a baseline. All take values above 0 and throw {@link BadDataException}.
 */
public final class Ratios {
  private Ratios() {}

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
}
