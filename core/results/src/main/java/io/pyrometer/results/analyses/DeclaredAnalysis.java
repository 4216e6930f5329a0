package io.pyrometer.results.analyses;

import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Declaration of an analysis of a run.
 *
 * @param parts the analyses of each part of a run
 * @param shown the runs whose reports have it even though their experiments do not name it
 * @param required a condition that some treatment must satisfy; empty for none
 * @param needsProfiles whether it asks for a profiled trial of each treatment
 */
record DeclaredAnalysis(
    String id,
    Function<RunRecord, List<RunAnalysis>> parts,
    Predicate<RunRecord> shown,
    Optional<Predicate<PlannedTreatment>> required,
    boolean needsProfiles)
    implements Analysis {

  /** Analysis of a run in parts, or one whose findings do not belong to the run's answer. */
  DeclaredAnalysis(String id, Function<RunRecord, List<RunAnalysis>> parts) {
    this(id, parts, run -> false, Optional.empty(), false);
  }

  /**
   * Analysis of a run as a whole, whose findings belong to the run's answer.
   *
   * @param study the tables and findings; {@link RunAnalysis.NoResult} where no trial has the
   *     metrics
   */
  DeclaredAnalysis(
      String id, String response, String unit, Function<RunRecord, StudyResult> study) {
    this(id, run -> List.of(RunAnalysis.whole(id, response, unit, () -> study.apply(run))));
  }

  DeclaredAnalysis shownFor(Predicate<RunRecord> runs) {
    return new DeclaredAnalysis(id, parts, runs, required, needsProfiles);
  }

  DeclaredAnalysis requiring(Predicate<PlannedTreatment> some) {
    return new DeclaredAnalysis(id, parts, shown, Optional.of(some), needsProfiles);
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
    return parts.apply(run);
  }
}
