package io.pyrometer.results.analyses;

import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.function.Supplier;

/**
 * One analysis of a part of a run, such as the scalability law of one access path.
 *
 * @param analysis as the experiment's file names it
 * @param of the part: the levels that all of its trials share; empty if that is the whole run
 * @param leading whether its findings belong to the run's answer
 */
public record RunAnalysis(
    String analysis, String of, String response, String unit, boolean leading, StudyResult result) {

  /** An analysis of the whole run, whose findings belong to its answer. */
  public static RunAnalysis whole(
      String id, String response, String unit, Supplier<StudyResult> study) {
    return new RunAnalysis(id, "", response, unit, true, RunAnalyses.analyze(study));
  }

  /** For a heading, as {@code put: throughput}. */
  public String title() {
    return of.isEmpty() ? response : of + ": " + response;
  }

  /** Returns whether it only says why there is no result. */
  boolean isNotEstimated() {
    return result.findings().size() == 1
        && result.sections().stream().allMatch(section -> section.figures().isEmpty());
  }

  /** Its findings, each saying what part it is of. */
  public List<Finding> findings() {
    return result.findings().stream().map(finding -> under(of, finding)).toList();
  }

  static Finding under(String part, Finding finding) {
    return part.isEmpty() ? finding : finding.under(part);
  }

  /** Its first finding, which is its conclusion, and every notice and warning. */
  List<Finding> conclusions() {
    List<Finding> all = result.findings();
    return all.stream()
        .filter(finding -> finding.severity() != Severity.INFO || finding.equals(all.get(0)))
        .toList();
  }
}
