package io.pyrometer.results.analyses;

import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An analysis of a run's trials. Those of the core are declared in {@link RunAnalyses}; those of
 * plugins have a public constructor without parameters and are listed in {@code
 * META-INF/services/io.pyrometer.experiment.model.AnalysisDeclaration}.
 */
public interface Analysis extends AnalysisDeclaration {

  /**
   * Analyses the run, each part of it by itself.
   *
   * @return empty where there is nothing to say; never an exception for want of trials
   */
  List<RunAnalysis> of(RunRecord run);

  /**
   * Returns whether it is part of this run's report even though the experiment does not name it.
   */
  default boolean always(RunRecord run) {
    return false;
  }

  /**
   * Returns whether a run's answer holds its conclusions alone, also where it has a single part.
   */
  default boolean abridged() {
    return false;
  }

  /** The sentence {@code ID.unmet}, unless some treatment satisfies the condition. */
  default Optional<String> require(
      List<PlannedTreatment> treatments, Predicate<PlannedTreatment> which) {
    return PlannedTreatment.require(treatments, which, Texts.of(id() + ".unmet"));
  }
}
