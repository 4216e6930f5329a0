package io.pyrometer.results.analyses;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Optional;

/** The first call of fresh processes beside warm calls of the same trial. */
public final class FirstCallAnalysis extends WholeRunAnalysis {
  public FirstCallAnalysis() {
    super("first-call", "first call", "ms");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<TrialRecord> cold =
        run.finished().stream().filter(t -> t.beganCold() && first(t).isPresent()).toList();
    Tabulation all =
        new Tabulation(
            run, TreatmentRow.of(cold, TrialRecord::label, List.of()), "first-call.no-trial");
    for (TreatmentRow row : all.rows()) {
      all.add(
          Finding.info("first-call.ratio")
              .with("treatment", Value.name(row.label()))
              .with("first", row.mean(FirstCallAnalysis::first).orElseThrow().times(1, "ms"))
              .with("ratio", row.mean(FirstCallAnalysis::ratio).orElseThrow()));
    }
    all.show(
        "One row per treatment",
        all.table("not recorded")
            .count("starts", row -> row.trials().size())
            .estimate("first call [ms]", row -> row.mean(FirstCallAnalysis::first))
            .estimate("warm call [ms]", row -> row.mean(FirstCallAnalysis::warm))
            .estimate("first / warm", row -> row.mean(FirstCallAnalysis::ratio)));
    all.compare("First call", Metric.FIRST_CALL, "ms");
    return all.result(
        "first-call",
        "First call of fresh processes",
        "The first call of each first trial after a start of processes, and the mean of the calls in its measured part. Means over starts with 95 % intervals.");
  }

  private static Optional<Double> first(TrialRecord trial) {
    return trial.value(Metric.FIRST_CALL);
  }

  private static Optional<Double> warm(TrialRecord trial) {
    return RateSearch.worst(trial, LatencyStatistic.MEAN).map(micros -> micros / 1e3);
  }

  private static Optional<Double> ratio(TrialRecord trial) {
    return first(trial).flatMap(cold -> warm(trial).map(after -> cold / after));
  }
}
