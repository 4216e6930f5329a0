package io.pyrometer.results.analyses;

import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The analyses of a run: those that its experiment names, then those that every report has. As a
 * service the analyses of the core; those of plugins are services of their own.
 */
public final class RunAnalyses implements AnalysisDeclaration.Source {
  @Override
  public List<Analysis> analyses() {
    return Stream.of(
            TableAnalyses.ALL,
            TimeAnalyses.ALL,
            RunStudies.ALL,
            List.of(new Diagnoses(), new RunScalability(), TailCauses.DECLARATION))
        .flatMap(List::stream)
        .toList();
  }

  /**
   * In the order of the file; never an exception for want of trials. One that does not belong to
   * the run's answer is left out where it has no result.
   */
  public static List<RunAnalysis> of(RunRecord run) {
    return Stream.concat(run.experiment().analyses().stream(), further(run).stream())
        .flatMap(id -> known().stream().filter(analysis -> analysis.id().equals(id)))
        .flatMap(analysis -> analysis.of(run).stream())
        .filter(analysis -> analysis.leading() || !analysis.isNotEstimated())
        .toList();
  }

  /** The names of the analyses that the experiment does not name but its report has. */
  public static List<String> further(RunRecord run) {
    List<String> named = run.experiment().analyses();
    return known().stream()
        .filter(analysis -> analysis.always(run))
        .map(Analysis::id)
        .filter(id -> !named.contains(id))
        .toList();
  }

  private static List<Analysis> known() {
    return AnalysisDeclaration.all().stream()
        .filter(Analysis.class::isInstance)
        .map(Analysis.class::cast)
        .toList();
  }

  /**
   * Findings of one analysis for the run's answer: all its findings or, of several parts and where
   * it is abridged, their conclusions, once for all parts that share one.
   */
  public static List<Finding> answer(List<RunAnalysis> analyses, String id) {
    List<RunAnalysis> parts = analyses.stream().filter(a -> a.analysis().equals(id)).toList();
    boolean whole = !several(parts) && !abridged(id);
    Map<Finding, Set<String>> of = new LinkedHashMap<>();
    for (RunAnalysis part : parts.stream().filter(RunAnalysis::leading).toList()) {
      (whole ? part.result().findings() : part.conclusions())
          .forEach(f -> of.computeIfAbsent(f, c -> new LinkedHashSet<>()).add(part.of()));
    }
    return of.entrySet().stream()
        .map(each -> RunAnalysis.under(String.join(", ", each.getValue()), each.getKey()))
        .toList();
  }

  private static boolean abridged(String id) {
    return known().stream().anyMatch(each -> each.id().equals(id) && each.abridged());
  }

  private static boolean several(List<RunAnalysis> parts) {
    return parts.stream().filter(RunAnalysis::leading).count() > 1;
  }

  /** The sections of one analysis, each with an address and title of its own. */
  public static List<Section> sections(List<RunAnalysis> analyses, String id) {
    List<RunAnalysis> parts = analyses.stream().filter(a -> a.analysis().equals(id)).toList();
    List<Section> sections = new ArrayList<>();
    for (RunAnalysis part : parts) {
      String address = id + "-" + (analyses.indexOf(part) + 1);
      boolean shown = part.leading() && !several(parts) && !abridged(id);
      if (!shown && !part.isNotEstimated() && !part.result().findings().isEmpty()) {
        sections.add(Section.of(address + "-findings", part.title(), "", findings(part.result())));
      }
      sections.addAll(
          part.result().under(address, parts.size() == 1 ? part.of() : part.title()).sections());
    }
    return sections;
  }

  private static Figure findings(StudyResult result) {
    List<List<String>> rows =
        result.findings().stream().map(f -> List.of(f.sentence(), f.remedy().orElse(""))).toList();
    return Figure.of("Findings", Table.ofWords(List.of("finding", "would change it"), rows));
  }
}
