package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.Arrays;
import java.util.Optional;

/**
 * Limits of significance for many contrasts without any replicate (Lenth, Quick and easy analysis
 * of unreplicated factorials, 1989): most are taken to be noise, and their middle gives its size.
 *
 * @param s0 1.5·median|c|
 * @param pse the pseudo standard error, 1.5·median{|c| &lt; 2.5 s₀}
 * @param me the margin of error of one contrast: t(.975, m/3)·PSE at 95 %
 * @param sme the simultaneous margin of error of all: t((1+.95^(1/m))/2, m/3)·PSE
 */
public record Lenth(double s0, double pse, double me, double sme) {
  /** Fewer contrasts than this give no size of the noise. */
  private static final int FEWEST = 7;

  /** Judges contrasts; empty if there are fewer than 7, or most of them are 0. */
  public static Optional<Lenth> of(double[] contrasts) {
    int m = Samples.checked(contrasts, 1, "the effects").length;
    double[] sizes = Arrays.stream(contrasts).map(Math::abs).toArray();
    double s0 = 1.5 * Samples.median(sizes);
    if (m < FEWEST || s0 == 0) {
      return Optional.empty();
    }
    double pse = 1.5 * Samples.median(Arrays.stream(sizes).filter(c -> c < 2.5 * s0).toArray());
    if (pse == 0) {
      return Optional.empty();
    }
    double df = m / 3.0;
    double each = StudentT.quantile((1 + Estimate.CONFIDENCE) / 2, df);
    double all = StudentT.quantile((1 + Math.pow(Estimate.CONFIDENCE, 1.0 / m)) / 2, df);
    return Optional.of(new Lenth(s0, pse, each * pse, all * pse));
  }
}
