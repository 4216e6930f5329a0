package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.Analysis;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The analyses that an experiment asks for besides the ranking, made of its run's trials. */
public final class RunAnalyses {
  /** The analysis that no file asks for: the memory of servers in runs of several products. */
  public static final String MEMORY = "memory";

  private RunAnalyses() {}

  /**
   * In the order of the file, then the service demands, which every run has, and the memory of
   * servers in runs of several products; never an exception for want of trials.
   */
  public static List<RunAnalysis> of(RunRecord run) {
    List<RunAnalysis> analyses = new ArrayList<>();
    for (String asked : run.plan().experiment().analyses()) {
      if (asked.equals(Analysis.SCALABILITY.word())) {
        analyses.addAll(RunScalability.of(run));
      } else if (asked.equals(Analysis.FACTORS.word())) {
        analyses.addAll(RunFactors.of(run));
      } else if (asked.equals(Analysis.HIGHEST_RATE.word())) {
        analyses.addAll(RunHighestRate.of(run));
      } else if (asked.equals(Analysis.SCENARIO.word())) {
        analyses.addAll(RunScenario.of(run));
      } else if (asked.equals(Analysis.BENCHMARKS.word())) {
        analyses.addAll(RunBenchmarks.of(run));
      } else if (asked.equals(Analysis.PAUSES.word())) {
        analyses.addAll(RunPauses.of(run));
      } else if (asked.equals(Analysis.TREND.word())) {
        analyses.addAll(RunTrend.of(run));
      } else if (asked.equals(Analysis.TRANSACTIONS.word())) {
        analyses.addAll(RunTransactions.of(run));
      } else if (asked.equals(Analysis.SCALE_CHECK.word())) {
        analyses.addAll(RunScaleCheck.of(run));
      } else if (asked.equals(Analysis.ELASTICITY.word())) {
        analyses.addAll(RunElasticity.of(run));
      } else if (asked.equals(Analysis.CONTINUOUS_QUERIES.word())) {
        analyses.addAll(RunContinuousQueries.of(run));
      } else if (asked.equals(Analysis.EXPIRY.word())) {
        analyses.addAll(RunExpiry.of(run));
      } else if (asked.equals(Analysis.QUERIES.word())) {
        analyses.addAll(RunQueries.of(run));
      }
    }
    if (RunDemands.recorded(run)
        || run.plan().experiment().analyses().contains(Analysis.DEMANDS.word())) {
      analyses.addAll(RunDemands.of(run));
    }
    analyses.addAll(RunMemory.of(run));
    return analyses;
  }

  /** The result of a study; or, where there are too few trials, the sentence that says why. */
  static StudyResult studied(Supplier<StudyResult> study) {
    try {
      return study.get();
    } catch (BadDataException tooFew) {
      String sentence = String.valueOf(tooFew.getMessage());
      Finding why =
          new Finding(
              Finding.Kind.NOT_ENOUGH_RUNS,
              Finding.Severity.WARNING,
              sentence,
              Map.of(),
              "A run with more valid trials.");
      Section section = new Section("none", "Not estimated", sentence, List.of());
      return new StudyResult("", List.of(why), List.of(section), List.of());
    }
  }

  /** The sections of one analysis, each with an address and title of its own. */
  public static List<Section> sections(RunAnalysis analysis, int number) {
    String id = analysis.analysis() + "-" + number;
    List<Section> sections = new ArrayList<>();
    if (!analysis.leading() && !analysis.studied().findings().isEmpty()) {
      sections.add(
          new Section(
              id + "-findings", analysis.title(), "", List.of(findings(analysis.studied()))));
    }
    sections.addAll(analysis.studied().under(id, analysis.prefix()).sections());
    return sections;
  }

  private static Exhibit findings(StudyResult studied) {
    List<List<String>> rows =
        studied.findings().stream().map(f -> List.of(f.sentence(), f.wouldChange())).toList();
    return Exhibit.of("Findings", Table.ofWords(List.of("finding", "would change it"), rows));
  }
}
