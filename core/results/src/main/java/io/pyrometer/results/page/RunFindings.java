package io.pyrometer.results.page;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.ranking.NoAnswer;
import io.pyrometer.results.ranking.PublishedComparison;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.RankingFindings;
import java.util.ArrayList;
import java.util.List;

/** The findings of a run: the answer to the experiment's question first, then what limits it. */
final class RunFindings {
  private RunFindings() {}

  /** Those of the analyses in the order of the file; never empty. */
  static List<Finding> of(RunRecord run, List<Ranking> rankings, List<RunAnalysis> analyses) {
    List<Finding> findings = new ArrayList<>();
    for (String asked : run.plan().experiment().analyses()) {
      if (asked.equals(AnalysisDeclaration.RANKING)) {
        findings.addAll(RankingFindings.of(run, rankings));
      }
      analyses.stream()
          .filter(analysis -> analysis.analysis().equals(asked) && analysis.leading())
          .forEach(analysis -> findings.addAll(analysis.findings()));
    }
    run.plan()
        .experiment()
        .published()
        .ifPresent(
            published -> findings.addAll(PublishedComparison.of(published.source(), rankings)));
    findings.addAll(ThresholdFindings.of(run));
    findings.addAll(Limitations.of(run));
    run.plan().experiment().shortcomings().forEach(each -> findings.add(shortcoming(each)));
    NoAnswer.ofDisturbed(run)
        .filter(none -> !findings.contains(none))
        .ifPresent(none -> findings.add(0, none));
    return findings.isEmpty() ? RankingFindings.of(run, rankings) : findings;
  }

  private static Finding shortcoming(String sentence) {
    return Finding.notice(
        Kind.NOT_ENOUGH_RUNS,
        "This run is shorter than the full one and leaves open: " + sentence,
        "The same command with --full.");
  }
}
