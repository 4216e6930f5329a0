package io.pyrometer.results.analyses;

import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Declaration of an analysis of a run as a whole, whose findings belong to the run's answer.
 *
 * @param shown the runs whose reports have it even though their experiments do not name it
 * @param required a condition that some treatment must satisfy; empty for none
 * @param study the tables and findings; {@link RunAnalysis.NoResult} where no trial has the metrics
 */
record WholeRunAnalysis(
    String id,
    String response,
    String unit,
    Predicate<RunRecord> shown,
    Optional<Predicate<PlannedTreatment>> required,
    Function<RunRecord, StudyResult> study)
    implements Analysis {

  WholeRunAnalysis(
      String id, String response, String unit, Function<RunRecord, StudyResult> study) {
    this(id, response, unit, run -> false, Optional.empty(), study);
  }

  WholeRunAnalysis shownFor(Predicate<RunRecord> runs) {
    return new WholeRunAnalysis(id, response, unit, runs, required, study);
  }

  WholeRunAnalysis requiring(Predicate<PlannedTreatment> some) {
    return new WholeRunAnalysis(id, response, unit, shown, Optional.of(some), study);
  }

  @Override
  public boolean always(RunRecord run) {
    return shown.test(run);
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return required.flatMap(some -> require(treatments, some));
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id, response, unit, () -> study.apply(run)));
  }
}
