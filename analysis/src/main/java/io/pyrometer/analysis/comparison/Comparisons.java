package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.estimate.RatioEstimate;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.analysis.estimate.RunsNeeded;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compares two treatments on one response. Few runs are no error: the verdict then is {@link
 * Verdict#NOT_ENOUGH_RUNS}. Values that are not finite or not above 0 are refused with a {@link
 * io.pyrometer.analysis.BadDataException}.
 */
public final class Comparisons {
  /** What one run of each is told to grow to, since nothing is known about the spread. */
  private static final int USUAL_START = 5;

  private Comparisons() {}

  /** Compares within the blocks that both share; the other blocks are left out. */
  public static Comparison paired(
      Subject subject, Treatment baseline, Treatment candidate, ComparisonRule rule) {
    List<String> shared =
        baseline.replicates().keySet().stream()
            .filter(candidate.replicates()::containsKey)
            .toList();
    if (shared.isEmpty()) {
      throw BadDataException.of(
          "%s and %s share no block, so they cannot be paired; run them in the same blocks.",
          subject.baseline(), subject.candidate());
    }
    return paired(subject, of(baseline, shared), of(candidate, shared), rule);
  }

  /** Compares run by run: the i-th values of both come from the same block. */
  public static Comparison paired(
      Subject subject, double[] baseline, double[] candidate, ComparisonRule rule) {
    double[] logs = Ratios.logRatios(baseline, candidate);
    if (logs.length < 2) {
      return seenOnce(subject, baseline, candidate, true, rule);
    }
    RatioEstimate ratio = Ratios.paired(baseline, candidate, rule.confidence());
    Estimate centre = HodgesLehmann.centre(logs, "", rule.confidence());
    Check check = new Check(true, SignedRanks.of(logs).p(), centre.exp(), Optional.empty());
    return judged(subject, baseline, candidate, ratio, check, rule);
  }

  /** Compares runs that share no blocks, by Welch's t on logarithms. */
  public static Comparison unpaired(
      Subject subject, double[] baseline, double[] candidate, ComparisonRule rule) {
    Samples.positive(baseline, 1, subject.baseline());
    Samples.positive(candidate, 1, subject.candidate());
    if (baseline.length < 2 || candidate.length < 2) {
      return seenOnce(subject, baseline, candidate, false, rule);
    }
    RatioEstimate ratio = Ratios.welch(baseline, candidate, rule.confidence());
    Estimate shift =
        HodgesLehmann.shift(Samples.ln(baseline), Samples.ln(candidate), "", rule.confidence());
    Check check =
        new Check(
            false,
            MannWhitney.of(baseline, candidate).p(),
            shift.exp(),
            Ratios.fieller(baseline, candidate, rule.confidence()));
    return judged(subject, baseline, candidate, ratio, check, rule);
  }

  /** What stands beside the log-t interval. */
  private record Check(
      boolean paired, double ranksP, Estimate hodgesLehmann, Optional<Estimate> fieller) {}

  private static Comparison judged(
      Subject subject,
      double[] baseline,
      double[] candidate,
      RatioEstimate ratio,
      Check check,
      ComparisonRule rule) {
    Verdict verdict = rule.verdict(ratio.ratio().low(), ratio.ratio().high());
    int runs = ratio.ratio().replicates();
    OptionalInt further =
        verdict == Verdict.NOT_ENOUGH_RUNS ? further(ratio, runs, rule) : OptionalInt.empty();
    Estimate a = Means.geometric(baseline, subject.unit(), rule.confidence());
    Estimate b = Means.geometric(candidate, subject.unit(), rule.confidence());
    return new Comparison(
        a,
        b,
        ratio.ratio(),
        check.paired(),
        ratio.p(),
        check.ranksP(),
        check.hodgesLehmann(),
        CliffsDelta.of(candidate, baseline),
        check.fieller(),
        verdict,
        further,
        Sentences.finding(subject, a, b, ratio.ratio(), verdict, further, check.paired(), rule));
  }

  private static OptionalInt further(RatioEstimate ratio, int runs, ComparisonRule rule) {
    double distance = rule.distanceToMargin(Math.log(ratio.ratio().value()));
    OptionalInt total =
        RunsNeeded.forHalfWidth(ratio.logStandardDeviation(), distance, rule.confidence());
    return total.isEmpty() ? total : OptionalInt.of(Math.max(1, total.getAsInt() - runs));
  }

  private static Comparison seenOnce(
      Subject subject, double[] baseline, double[] candidate, boolean paired, ComparisonRule rule) {
    Samples.positive(baseline, 1, subject.baseline());
    Samples.positive(candidate, 1, subject.candidate());
    Estimate a = Means.geometric(baseline, subject.unit(), rule.confidence());
    Estimate b = Means.geometric(candidate, subject.unit(), rule.confidence());
    Estimate ratio = Estimate.unreplicated(b.value() / a.value(), "");
    OptionalInt further = OptionalInt.of(USUAL_START - 1);
    return new Comparison(
        a,
        b,
        ratio,
        paired,
        1,
        1,
        ratio,
        CliffsDelta.of(candidate, baseline),
        Optional.empty(),
        Verdict.NOT_ENOUGH_RUNS,
        further,
        Sentences.finding(subject, a, b, ratio, Verdict.NOT_ENOUGH_RUNS, further, paired, rule));
  }

  private static double[] of(Treatment treatment, List<String> blocks) {
    return blocks.stream()
        .mapToDouble(block -> treatment.replicates().getOrDefault(block, 0.0))
        .toArray();
  }
}
