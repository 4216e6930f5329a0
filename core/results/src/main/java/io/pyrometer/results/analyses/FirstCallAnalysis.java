package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Optional;

/** The first call of fresh processes beside warm calls of the same trial. */
public final class FirstCallAnalysis extends WholeRunAnalysis {
  private static final double MICROS_IN_MILLI = 1e3;

  public FirstCallAnalysis() {
    super("first-call", "first call", "ms");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<TrialRecord> cold =
        run.finished().stream().filter(t -> t.beganCold() && first(t).isPresent()).toList();
    Tabulation all =
        new Tabulation(
            run,
            TreatmentRow.of(cold, TrialRecord::label, List.of()),
            "No trial was the first one on its processes without a warm-up before; set 'common-warm-up: 0s'.");
    all.rows().forEach(row -> all.add(Optional.of(finding(row))));
    all.show(
        "One row per treatment",
        all.table("not recorded")
            .count("starts", row -> row.trials().size())
            .estimate("first call [ms]", row -> row.mean(FirstCallAnalysis::first))
            .estimate("warm call [ms]", row -> row.mean(FirstCallAnalysis::warm))
            .estimate("first / warm", row -> row.mean(FirstCallAnalysis::ratio)));
    all.compare(
        "first call",
        new NamedMetric(Metric.FIRST_CALL, "ms", Direction.LOWER),
        FirstCallAnalysis::first);
    return all.result(
        "first-call",
        "First call of fresh processes",
        "The first call of each first trial after a start of processes, and the mean of the calls in the measured part of the same trial, after its warm-up. Means over starts with 95 % intervals.",
        "More starts, as with --blocks 10.");
  }

  private static Optional<Double> first(TrialRecord trial) {
    return trial.value(Metric.FIRST_CALL);
  }

  private static Optional<Double> warm(TrialRecord trial) {
    return RateSearch.worst(trial, LatencyStatistic.MEAN).map(micros -> micros / MICROS_IN_MILLI);
  }

  private static Optional<Double> ratio(TrialRecord trial) {
    return first(trial).flatMap(cold -> warm(trial).map(after -> cold / after));
  }

  private static Finding finding(TreatmentRow row) {
    Estimate first = row.mean(FirstCallAnalysis::first).orElseThrow();
    Estimate warm = row.mean(FirstCallAnalysis::warm).orElseThrow();
    Estimate ratio = row.mean(FirstCallAnalysis::ratio).orElseThrow();
    return Finding.info(
        Finding.Kind.LATENCY,
        "%s: the first call of fresh processes takes %s ms, a warm one %s ms: %s times as long."
            .formatted(
                row.label(),
                Numbers.estimate(first),
                Numbers.estimate(warm),
                Numbers.estimate(ratio)),
        Finding.estimates("first call", first, "warm call", warm),
        "More starts, as with --blocks 10.");
  }
}
