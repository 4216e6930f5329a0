package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.analysis.estimate.RunsNeeded;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.hipparchus.distribution.continuous.ChiSquaredDistribution;

/**
 * The noise of a machine, from an A/A test.
 *
 * @param noise the standard deviation of ln y of one run within its pair: a share, with its
 *     interval
 * @param smallestLoss the smallest loss that the gate finds in 95 of 100 cases here
 * @param pairsNeeded how many pairs a gate with its margin as stated takes to find {@link
 *     GateRule#toFind} in 95 of 100 cases at this noise; empty if a thousand do not
 * @param bias the ratio of the second to the first of a pair, which should hold 1
 */
public record NoiseFloor(
    Estimate noise,
    Estimate smallestLoss,
    OptionalInt pairsNeeded,
    Estimate bias,
    Finding finding) {
  private static final double POWER = 0.975;

  /** With fewer the exact signed-rank test cannot be below 0.01. */
  private static final int FEWEST_PAIRS = 7;

  /**
   * The signed-rank test needs this share more pairs than the t test, 3/π where spreads are normal.
   */
  private static final double RANK_EFFICIENCY = 3 / Math.PI;

  /**
   * Measures it.
   *
   * @param first one value a pair, at least 3
   * @param second the other run of the pair, of the very same treatment
   */
  public static NoiseFloor of(double[] first, double[] second, GateRule rule, double confidence) {
    double[] logs = Samples.checked(Ratios.logRatios(first, second), 3, "the pairs");
    int n = logs.length;
    double sd = Math.sqrt(Samples.variance(logs));
    ChiSquaredDistribution chi = new ChiSquaredDistribution(n - 1);
    double narrow = Math.sqrt((n - 1) / chi.inverseCumulativeProbability((1 + confidence) / 2));
    double wide = Math.sqrt((n - 1) / chi.inverseCumulativeProbability((1 - confidence) / 2));
    Estimate noise =
        new Estimate(
            sd / Math.sqrt(2),
            sd * narrow / Math.sqrt(2),
            sd * wide / Math.sqrt(2),
            confidence,
            n,
            "");
    Estimate loss =
        new Estimate(
            loss(sd, rule), loss(sd * narrow, rule), loss(sd * wide, rule), confidence, n, "");
    Estimate bias = Ratios.paired(first, second, confidence).ratio();
    OptionalInt needed = pairs(sd, rule.toFind(), rule);
    return new NoiseFloor(noise, loss, needed, bias, finding(noise, loss, needed, bias, rule));
  }

  /** Each of the gate's two conditions fails in 2.5 of 100 cases at most, both together in 5. */
  static double loss(double sd, GateRule rule) {
    double error = sd / Math.sqrt(RANK_EFFICIENCY * rule.pairs());
    double df = rule.pairs() - 1.0;
    double sure = StudentT.quantile(1 - rule.level(), df) + StudentT.quantile(POWER, df);
    double beyond = -Math.log(1 - rule.margin()) + StudentT.normal(POWER) * error;
    return 1 - Math.exp(-Math.max(sure * error, beyond));
  }

  /**
   * The fewest pairs with which a gate of this rule finds the loss in 95 of 100 cases; empty if a
   * thousand do not.
   *
   * @param sd of ln ratio in one pair
   */
  static OptionalInt pairs(double sd, double loss, GateRule rule) {
    for (int n = FEWEST_PAIRS; n <= RunsNeeded.MOST; n++) {
      if (loss(sd, rule.withPairs(n)) <= loss) {
        return OptionalInt.of(n);
      }
    }
    return OptionalInt.empty();
  }

  private static Finding finding(
      Estimate noise, Estimate loss, OptionalInt needed, Estimate bias, GateRule rule) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    estimates.put("noise of a run", noise);
    estimates.put("smallest loss found", loss);
    estimates.put("second against first", bias);
    boolean biased = !bias.contains(1);
    String sentence =
        "In an A/A test a run varies by %s here; with a margin of %s %s; %s finds a loss of %s or more in 95 of 100 cases%s."
            .formatted(
                Figures.percent(noise.value()),
                Figures.percent(rule.margin()),
                needed.isPresent()
                    ? "a gate takes %s to find a loss of %s"
                        .formatted(
                            Figures.count(needed.getAsInt(), "pair"),
                            Figures.percent(rule.toFind()))
                    : "not even a thousand pairs find a loss of " + Figures.percent(rule.toFind()),
                "one of " + Figures.count(rule.pairs(), "pair"),
                Figures.percent(loss.value()),
                biased
                    ? ", but the second of a pair differs from the first, so the order is not"
                        + " random enough"
                    : "");
    return new Finding(
        Finding.Kind.COMPARISON,
        biased ? Finding.Severity.WARNING : Finding.Severity.INFO,
        sentence,
        estimates,
        "A quieter machine, or more pairs.");
  }
}
