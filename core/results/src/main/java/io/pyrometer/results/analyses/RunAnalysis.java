package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.results.study.StudyResult;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
  private static final Set<Kind> CONCLUSIONS =
      EnumSet.of(Kind.SCALABILITY, Kind.EFFECT, Kind.COMPARISON, Kind.ESTIMATE, Kind.LATENCY);

  /** An analysis of the whole run, whose findings belong to its answer. */
  public static RunAnalysis whole(
      String id, String response, String unit, Supplier<StudyResult> study) {
    return new RunAnalysis(id, "", response, unit, true, RunAnalyses.analyze(study));
  }

  /** For a heading, as {@code put: throughput}. */
  public String title() {
    return of.isEmpty() ? response : of + ": " + response;
  }

  /** Whether it only says why there is no result. */
  boolean isNotEstimated() {
    return result.items().isEmpty()
        && result.findings().size() == 1
        && result.sections().stream().allMatch(section -> section.figures().isEmpty());
  }

  /** Its findings, each saying what part it is of. */
  public List<Finding> findings() {
    return result.findings().stream().map(finding -> under(of, finding)).toList();
  }

  static Finding under(String part, Finding finding) {
    return part.isEmpty() ? finding : finding.under(part);
  }

  /**
   * What the run's answer holds where the analysis has several parts, or is {@link
   * Analysis#abridged}: the first conclusion, of a part that stands alone also how it scales,
   * estimates, and what limits them. They do not say what part they are of.
   */
  List<Finding> conclusions(boolean alone) {
    List<Finding> all = result.findings();
    Finding first =
        all.stream()
            .filter(f -> f.kind().filter(CONCLUSIONS::contains).isPresent())
            .findFirst()
            .orElseGet(() -> all.get(0));
    Optional<Finding> course =
        all.stream().filter(f -> alone && is(f, Kind.SCALABILITY)).findFirst();
    return all.stream()
        .filter(
            f ->
                is(f, Kind.ESTIMATE)
                    || is(f, Kind.DISTURBED)
                    || (is(f, Kind.NOT_ENOUGH_RUNS) && f.estimates().isEmpty())
                    || f.severity() == Severity.WARNING
                    || f.equals(first)
                    || course.filter(f::equals).isPresent())
        .toList();
  }

  private static boolean is(Finding finding, Kind kind) {
    return finding.kind().filter(k -> k == kind).isPresent();
  }
}
