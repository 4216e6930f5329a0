package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The verdicts of a comparison in words. */
final class Sentences {
  private Sentences() {}

  static Finding finding(
      Subject subject,
      Estimate baseline,
      Estimate candidate,
      Estimate ratio,
      Verdict verdict,
      OptionalInt further,
      boolean paired,
      ComparisonRule rule) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    estimates.put(subject.baseline(), baseline);
    estimates.put(subject.candidate(), candidate);
    estimates.put("ratio", ratio);
    boolean few = verdict == Verdict.NOT_ENOUGH_RUNS;
    return new Finding(
        few ? Kind.NOT_ENOUGH_RUNS : Kind.COMPARISON,
        severity(verdict),
        sentence(subject, ratio, verdict, further, paired, rule),
        estimates,
        few
            ? "More runs of both, until the interval clears a margin."
            : "Further runs that move the interval over a margin, or another smallest relevant"
                + " difference.");
  }

  private static Severity severity(Verdict verdict) {
    return switch (verdict) {
      case BETTER, NO_RELEVANT_DIFFERENCE -> Severity.INFO;
      case NOT_ENOUGH_RUNS -> Severity.NOTICE;
      case WORSE -> Severity.WARNING;
    };
  }

  private static String sentence(
      Subject subject,
      Estimate ratio,
      Verdict verdict,
      OptionalInt further,
      boolean paired,
      ComparisonRule rule) {
    String delta = Figures.percent(rule.delta());
    String seen =
        "The %s of %s is %s against %s%s"
            .formatted(
                subject.response(),
                subject.candidate(),
                Figures.change(ratio.value()),
                subject.baseline(),
                interval(ratio, paired));
    return switch (verdict) {
      case BETTER -> seen + ": better, by more than the " + delta + " that matters.";
      case WORSE -> seen + ": worse, by more than the " + delta + " that matters.";
      case NO_RELEVANT_DIFFERENCE ->
          seen + ": no relevant difference, the whole interval lies within ±" + delta + ".";
      case NOT_ENOUGH_RUNS -> seen + ": not enough runs, " + advice(further, paired) + ".";
    };
  }

  private static String interval(Estimate ratio, boolean paired) {
    if (!ratio.hasInterval()) {
      return " as seen once";
    }
    return " (%s interval %s to %s, %s)"
        .formatted(
            Figures.percent(ratio.confidence()),
            Figures.change(ratio.low()),
            Figures.change(ratio.high()),
            Figures.count(ratio.replicates(), paired ? "pair" : "run") + (paired ? "" : " each"));
  }

  private static String advice(OptionalInt further, boolean paired) {
    if (further.isEmpty()) {
      return "and a thousand would not settle it: the difference lies on the margin or the noise is"
          + " too great";
    }
    String runs = Figures.count(further.getAsInt(), paired ? "more pair" : "more run");
    return "make about " + runs + (paired ? "" : " of each");
  }
}
