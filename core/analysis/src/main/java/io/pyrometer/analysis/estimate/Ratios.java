package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Ratios of a candidate to a baseline. All take values above 0 and throw {@link BadDataException}.
 */
public final class Ratios {
  private static final int MAX_REPLICATES = 100;

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
   * About how many replicates narrow the interval of a ratio until it spans no more than a factor,
   * if their spread stays as it is: t·s/√n on logarithms.
   *
   * @return empty without an interval above 0, or where that takes more than {@value
   *     #MAX_REPLICATES}
   */
  public static OptionalInt replicatesFor(Estimate ratio, double factor) {
    int n = ratio.replicates();
    if (!(ratio.hasInterval() && ratio.low() > 0) || n < 2) {
      return OptionalInt.empty();
    }
    double now = Math.log(ratio.high() / ratio.low());
    double t = StudentT.twoSided(ratio.confidence(), n - 1.0);
    return IntStream.rangeClosed(n, MAX_REPLICATES)
        .filter(
            m ->
                now * StudentT.twoSided(ratio.confidence(), m - 1.0) / t * Math.sqrt((double) n / m)
                    <= Math.log(factor))
        .findFirst();
  }
}
