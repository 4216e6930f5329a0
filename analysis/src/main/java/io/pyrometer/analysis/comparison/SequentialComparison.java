package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Ratios;
import java.util.Map;

/**
 * Two treatments in interleaved pairs, looked at after every pair: one may stop whenever it is
 * clear, or go on for as long as one likes, and the interval holds at all looks at once.
 *
 * <p>The interval is a confidence sequence: all means μ of ln ratio for which the mixture of
 * likelihood ratios over effect sizes δ ~ N(0, τ²), with the standard deviation unknown, never
 * reached 1/α. That mixture, √(1/(1+nτ²))·[(1+t²/ν)/(1+t²/(ν(1+nτ²)))]^(n/2) with ν = n−1, is a
 * martingale for normal pairs of any spread, from the second pair on (Lai, Annals of Statistics
 * 1976; Wang and Ramdas, Anytime-valid t-tests and confidence sequences for Gaussian means with
 * unknown variance, 2024), so that by Ville's inequality it ever reaches 1/α with probability α.
 * For pairs that are not normal it is simulated ({@code docs/analyses.md}).
 *
 * @param ratio candidate over baseline; its interval is that of the sequence
 * @param decision whether to stop
 * @param finding in words
 */
public record SequentialComparison(Estimate ratio, Decision decision, Finding finding) {
  /** The spread of effect sizes that the mixture is made for, in standard deviations of a pair. */
  private static final double TAU2 = 1;

  /** An interval wider than e^±50 says no more than one of e^±50, and stays finite. */
  private static final double WIDEST_LOG = 50;

  /** With fewer pairs nothing is decided: skewed pairs mislead the first looks most. */
  public static final int FIRST_LOOK = 5;

  /** What to do after a look. */
  public enum Decision {
    /** Stop: the candidate is worse, and its estimated loss is beyond the margin. */
    REGRESSION,
    /** Stop: a loss of the margin is excluded. */
    NO_REGRESSION,
    /** Make another pair. */
    GO_ON
  }

  /**
   * Looks at the pairs so far.
   *
   * @param baseline at least 2, one value a pair in the order they were made
   * @param rows how many such comparisons are watched at once; they share the rule's level
   */
  public static SequentialComparison of(
      double[] baseline, double[] candidate, Subject subject, GateRule rule, int rows) {
    double[] logs = Samples.checked(Ratios.logRatios(baseline, candidate), 2, "the pairs");
    double alpha = rule.level() / rows;
    double mean = Samples.mean(logs);
    double half = halfWidth(logs, alpha);
    int n = logs.length;
    Estimate ratio = new Estimate(mean, mean - half, mean + half, 1 - alpha, n, "").exp();
    boolean higher = rule.better() == ComparisonRule.Direction.HIGHER;
    boolean sure = higher ? ratio.high() < 1 : ratio.low() > 1;
    Decision decision =
        n < FIRST_LOOK
            ? Decision.GO_ON
            : sure && rule.loss(ratio.value()) > rule.margin()
                ? Decision.REGRESSION
                : rule.greatestLoss(ratio) < rule.margin()
                    ? Decision.NO_REGRESSION
                    : Decision.GO_ON;
    return new SequentialComparison(ratio, decision, finding(subject, ratio, decision, rule));
  }

  /** Half the width of the confidence sequence at this look, of at least 2 values. */
  static double halfWidth(double[] logs, double alpha) {
    int n = logs.length;
    double c = 1 + n * TAU2;
    double k = Math.exp((2 * Math.log(1 / alpha) + Math.log(c)) / n);
    if (k >= c) {
      return WIDEST_LOG;
    }
    double u = (k - 1) / (1 - k / c);
    double error = Math.sqrt(Samples.variance(logs) / n);
    return Math.min(WIDEST_LOG, Math.sqrt((n - 1) * u) * error);
  }

  private static Finding finding(
      Subject subject, Estimate ratio, Decision decision, GateRule rule) {
    String interval =
        ratio.high() / ratio.low() > 100
            ? "too few pairs for an interval"
            : "%s interval at every look %s to %s"
                .formatted(
                    Figures.percent(ratio.confidence()),
                    Figures.change(ratio.low()),
                    Figures.change(ratio.high()));
    String seen =
        "After %s the %s of %s is %s against %s (%s)"
            .formatted(
                Figures.count(ratio.replicates(), "pair"),
                subject.response(),
                subject.candidate(),
                Figures.change(ratio.value()),
                subject.baseline(),
                interval);
    String margin = Figures.percent(rule.margin());
    return switch (decision) {
      case REGRESSION ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.WARNING,
              seen + ": a significant regression above the margin of " + margin + "; stop.",
              Map.of("ratio", ratio),
              "A repeat that does not show it.");
      case NO_REGRESSION ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.INFO,
              seen + ": a loss of " + margin + " or more is excluded; stop.",
              Map.of("ratio", ratio),
              "A smaller margin.");
      case GO_ON ->
          new Finding(
              Finding.Kind.NOT_ENOUGH_RUNS,
              Finding.Severity.NOTICE,
              seen
                  + ": a regression above %s is neither shown nor excluded; make another pair."
                      .formatted(margin),
              Map.of("ratio", ratio),
              "Further pairs; looking after each does not raise the false alarms.");
    };
  }
}
