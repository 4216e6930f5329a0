package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.report.Section;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One analysis of a part of a run, such as the scalability law of one access path.
 *
 * @param analysis as the experiment's file names it
 * @param of the part: the levels that all of its trials share; empty if that is the whole run
 * @param response empty where the analysis has but one
 * @param leading whether its findings belong to the run's answer
 */
public record RunAnalysis(
    String analysis, String of, String response, String unit, boolean leading, StudyResult result) {

  /** Ends an analysis of a run that lacks the data for it. */
  static final class NoResult extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String id;

    /** Takes the id of the finding that says what is missing. */
    NoResult(String id) {
      super(id);
      this.id = id;
    }

    String id() {
      return id;
    }
  }

  /** Returns what was found, or ends the analysis with the id of a finding if that is nothing. */
  static <T> List<T> require(String id, List<T> found) {
    if (found.isEmpty()) {
      throw new NoResult(id);
    }
    return found;
  }

  /** An analysis of the whole run, whose findings belong to its answer. */
  public static RunAnalysis whole(
      String id, String response, String unit, Supplier<StudyResult> study) {
    return new RunAnalysis(id, "", response, unit, true, analyze(study));
  }

  /** Analyses of parts of a run, by the levels that the trials of each share. */
  static <T> List<RunAnalysis> parts(
      String id,
      String response,
      String unit,
      Map<Map<String, String>, T> parts,
      BiFunction<Map<String, String>, T, StudyResult> study) {
    List<Map<String, String>> all = List.copyOf(parts.keySet());
    return List.copyOf(parts.entrySet()).parallelStream()
        .map(
            each ->
                new RunAnalysis(
                    id,
                    Phrases.differing(each.getKey(), all),
                    response,
                    unit,
                    true,
                    analyze(() -> study.apply(each.getKey(), each.getValue()))))
        .toList();
  }

  /** The result of a study; or, where a run lacks the data, the finding that says why. */
  public static StudyResult analyze(Supplier<StudyResult> study) {
    try {
      return study.get();
    } catch (NoResult none) {
      return notEstimated(Finding.warning(none.id()));
    } catch (BadDataException tooFew) {
      String reason = String.valueOf(tooFew.getMessage());
      return notEstimated(Finding.warning("analysis.not-estimated").with("reason", reason));
    }
  }

  private static StudyResult notEstimated(Finding why) {
    return StudyResult.of(List.of(why), Section.of("none", "Not estimated", why.sentence()));
  }

  /** For a heading, as {@code put: throughput}. */
  public String title() {
    return Stream.of(of, response).filter(s -> !s.isEmpty()).collect(Collectors.joining(": "));
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
