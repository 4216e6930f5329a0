package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Ratios;
import java.util.List;
import java.util.OptionalInt;
import org.hipparchus.distribution.continuous.ChiSquaredDistribution;

/**
 * The noise of a machine, from an A/A test, and how many blocks the gate of interleaved comparisons
 * ({@link SequentialComparison}) takes at the upper limit of that noise, widened where neighbouring
 * pairs depend on each other.
 *
 * @param noise the standard deviation of ln y of one trial within its pair: a share, with its
 *     interval
 * @param blocksToFind after how many blocks the gate finds a loss of {@link GateRule#toFind} in 95
 *     of 100 cases; empty if not after a thousand
 * @param blocksToExclude after how many blocks it excludes a loss of the margin in 95 of 100 cases
 *     if there is none; empty if not after a thousand
 * @param bias the ratio of the second to the first of a pair, which should hold 1
 */
public record NoiseFloor(
    Estimate noise,
    OptionalInt blocksToFind,
    OptionalInt blocksToExclude,
    Estimate bias,
    Finding finding) {

  /**
   * Measures it.
   *
   * @param first one value a pair, at least 3
   * @param second the other trial of the pair, of the very same treatment
   * @param rows how many comparisons the gate is to have, which share its level
   */
  public static NoiseFloor of(
      double[] first, double[] second, GateRule rule, int rows, double confidence) {
    double[] logs = Samples.checked(Ratios.logRatios(first, second), 3, "the pairs");
    int n = logs.length;
    double sd = Math.sqrt(Samples.variance(logs));
    ChiSquaredDistribution chi = new ChiSquaredDistribution(n - 1);
    double narrow = Math.sqrt((n - 1) / chi.inverseCumulativeProbability((1 + confidence) / 2));
    double wide = Math.sqrt((n - 1) / chi.inverseCumulativeProbability((1 - confidence) / 2));
    double trial = sd / Math.sqrt(2);
    Estimate noise = new Estimate(trial, trial * narrow, trial * wide, confidence, n, "");
    Estimate bias = Ratios.paired(first, second).estimate(confidence, n, "").exp();
    double planned = sd * wide * SequentialComparison.widening(List.of(logs));
    OptionalInt find = SequentialComparison.blocksToFind(planned, rows, rule);
    OptionalInt exclude = SequentialComparison.blocksToExclude(planned, rule);
    return new NoiseFloor(noise, find, exclude, bias, finding(noise, find, exclude, bias, rule));
  }

  private static Finding finding(
      Estimate noise, OptionalInt find, OptionalInt exclude, Estimate bias, GateRule rule) {
    boolean biased = !bias.contains(1);
    String sentence =
        "In an A/A test a trial varies by %s here (%s interval %s to %s); an interleaved comparison finds %s %s within %s and excludes one of %s within %s, each in 95 of 100 cases%s, planned with the upper limit of that noise%s."
            .formatted(
                Figures.percent(noise.value()),
                Figures.percent(noise.confidence()),
                Figures.percent(noise.low()),
                Figures.percent(noise.high()),
                rule.worsening(),
                Figures.percent(rule.toFind()),
                blocks(find),
                Figures.percent(rule.margin()),
                blocks(exclude),
                find.isPresent() && SequentialComparison.looksOnce(find.getAsInt())
                    ? " if given as --blocks"
                    : "",
                biased
                    ? "; but the second of a pair differs from the first (%s to %s), so the order is not random enough"
                        .formatted(Figures.change(bias.low()), Figures.change(bias.high()))
                    : "");
    return new Finding(
        Finding.Kind.COMPARISON,
        biased ? Finding.Severity.WARNING : Finding.Severity.INFO,
        sentence,
        Finding.estimates("noise of a trial", noise, "second against first", bias),
        "A quieter machine, or another margin (--delta).");
  }

  /** For sentences and tables. */
  public static String blocks(OptionalInt blocks) {
    return blocks.isPresent()
        ? Figures.count(blocks.getAsInt(), "block")
        : "more than a thousand blocks";
  }
}
