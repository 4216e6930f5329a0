package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.Analysis;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Set;

/**
 * One analysis of a part of a run, such as the scalability law of one access path.
 *
 * @param analysis as the experiment's file names it
 * @param of the part: the levels that all of its trials share; empty if that is the whole run
 * @param leading whether its findings belong to the run's answer
 */
public record RunAnalysis(
    String analysis,
    String of,
    String response,
    String unit,
    boolean leading,
    StudyResult studied) {

  private static final Set<String> SAY_ENOUGH =
      Set.of(Analysis.SCENARIO.word(), Analysis.TREND.word(), Analysis.PAUSES.word());

  /** For a heading, as {@code put: throughput}. */
  public String title() {
    return of.isEmpty() ? response : of + ": " + response;
  }

  /** What stands before the titles of its sections, of those whose titles do not say enough. */
  String prefix() {
    return SAY_ENOUGH.contains(analysis) ? of : title();
  }

  /** Its findings, each saying what part it is of. */
  public List<Finding> findings() {
    return studied.findings().stream().map(this::named).toList();
  }

  private Finding named(Finding finding) {
    return of.isEmpty()
        ? finding
        : new Finding(
            finding.kind(),
            finding.severity(),
            of + ": " + StudyResult.small(finding.sentence()),
            finding.estimates(),
            finding.wouldChange());
  }
}
