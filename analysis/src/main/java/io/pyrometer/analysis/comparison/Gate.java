package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.RatioEstimate;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.analysis.estimate.RunsNeeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Judges whether a change does harm, from randomised pairs of runs, or from runs of both that share
 * no blocks. It does if that is sure, the one-sided log-t test being below the level, and the loss
 * is beyond the margin: the typical loss (Hodges–Lehmann) where the exact rank test is below the
 * level too, or else the whole interval. Either test alone gives up to 1.1 % false alarms where the
 * margin does not hold them back. Harm is out of the question if the interval ends inside the
 * margin, and is taken to be absent if it is not shown by as many runs as the rule asks for, and as
 * it takes at the noise that is seen to find {@link GateRule#toFind} in 95 of 100 cases.
 */
public final class Gate {
  private static final double CONFIDENCE = 0.95;

  private Gate() {}

  /**
   * One response to be judged.
   *
   * @param baseline one value a run
   * @param candidate the same; where paired, that of the same pair at the same index
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  public record Metric(
      Subject subject, double[] baseline, double[] candidate, boolean paired, GateRule rule) {}

  /**
   * Judges one response.
   *
   * @throws io.pyrometer.analysis.BadDataException if there are fewer than 2 runs of either, or a
   *     value is not above 0
   */
  public static GateResult judge(Metric metric) {
    return judgeAll(List.of(metric)).get(0);
  }

  /** Judges several responses at once, with p adjusted by Holm so that false alarms stay rare. */
  public static List<GateResult> judgeAll(List<Metric> metrics) {
    List<Evidence> evidence = metrics.stream().map(Evidence::of).toList();
    double[] adjusted = MultipleTesting.holm(evidence.stream().mapToDouble(Evidence::p).toArray());
    List<GateResult> results = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      results.add(result(metrics.get(i), evidence.get(i), adjusted[i]));
    }
    return List.copyOf(results);
  }

  /**
   * What the runs say of one response.
   *
   * @param p one-sided, of the log-t test
   * @param ranks one-sided, of the exact rank test
   * @param sd of ln ratio in one pair
   * @param ratio by log-t
   * @param typical ratio by Hodges and Lehmann
   */
  private record Evidence(double p, double ranks, double sd, Estimate ratio, Estimate typical) {

    static Evidence of(Metric metric) {
      double[] a = metric.baseline();
      double[] b = metric.candidate();
      boolean higher = metric.rule().better() == ComparisonRule.Direction.HIGHER;
      RatioEstimate t =
          metric.paired() ? Ratios.paired(a, b, CONFIDENCE) : Ratios.welch(a, b, CONFIDENCE);
      Estimate shift =
          metric.paired()
              ? HodgesLehmann.centre(Ratios.logRatios(a, b), "", CONFIDENCE)
              : HodgesLehmann.shift(Samples.ln(a), Samples.ln(b), "", CONFIDENCE);
      double ranks =
          metric.paired()
              ? SignedRanks.of(higher ? Ratios.logRatios(a, b) : Ratios.logRatios(b, a)).pLower()
              : MannWhitney.of(higher ? b : a, higher ? a : b).pLower();
      double p = higher ? t.pLower() : 1 - t.pLower();
      return new Evidence(p, ranks, t.logStandardDeviation(), t.ratio(), shift.exp());
    }
  }

  private static GateResult result(Metric metric, Evidence evidence, double p) {
    GateRule rule = metric.rule();
    boolean typically =
        evidence.ranks() < rule.level() && rule.loss(evidence.typical().value()) > rule.margin();
    boolean wholly = rule.leastLoss(evidence.ratio()) > rule.margin();
    boolean harm = p < rule.level() && (typically || wholly);
    boolean excluded = rule.greatestLoss(evidence.ratio()) < rule.margin();
    int needed =
        Math.max(
            rule.pairs(),
            NoiseFloor.pairs(evidence.sd(), rule.toFind(), rule).orElse(RunsNeeded.MOST));
    int missing = needed - evidence.ratio().replicates();
    GateResult.Outcome outcome =
        harm
            ? GateResult.Outcome.HARM
            : excluded || missing <= 0
                ? GateResult.Outcome.PASS
                : GateResult.Outcome.NOT_ENOUGH_RUNS;
    return new GateResult(
        outcome,
        p,
        evidence.typical(),
        Math.max(0, missing),
        finding(metric, outcome, p, evidence, missing));
  }

  private static Finding finding(
      Metric metric, GateResult.Outcome outcome, double p, Evidence evidence, int missing) {
    Subject subject = metric.subject();
    GateRule rule = metric.rule();
    Estimate ratio = evidence.typical();
    String seen =
        "The %s of %s is typically %s against %s over %s (%s)"
            .formatted(
                subject.response(),
                subject.candidate(),
                Figures.change(ratio.value()),
                subject.baseline(),
                runs(ratio.replicates(), metric.paired()),
                Figures.p(p));
    String margin = Figures.percent(rule.margin());
    return switch (outcome) {
      case HARM ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.WARNING,
              seen + ": a significant regression above the margin of " + margin + ".",
              Map.of("ratio", ratio),
              "A repeat of the pairs that does not show it.");
      case PASS ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.INFO,
              seen
                  + ": no harm over the margin of %s was found; a loss of more than %s is excluded (%s)."
                      .formatted(
                          margin,
                          Figures.percent(Math.max(0, rule.greatestLoss(evidence.ratio()))),
                          Figures.percent(CONFIDENCE)),
              Map.of("ratio", ratio),
              "More pairs, which would show a smaller loss.");
      case NOT_ENOUGH_RUNS ->
          new Finding(
              Finding.Kind.NOT_ENOUGH_RUNS,
              Finding.Severity.NOTICE,
              seen
                  + ": not enough runs for this gate, make "
                  + runs(missing, metric.paired()).replaceFirst(" ", " more ")
                  + ".",
              Map.of("ratio", ratio),
              "The missing pairs.");
    };
  }

  private static String runs(int n, boolean paired) {
    return paired ? Figures.count(n, "pair") : Figures.count(n, "run") + " of each";
  }
}
