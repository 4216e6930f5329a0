package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RatioReasons;
import io.pyrometer.results.analyses.RunAnalyses;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.page.Limitations.ThresholdFindings;
import io.pyrometer.results.ranking.Answer;
import io.pyrometer.results.ranking.NextStep;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.RankingFindings;
import io.pyrometer.results.ranking.Rankings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * The results of a run, made from its folder alone.
 *
 * @param rankings of every job, whether asked for or not
 * @param answer of its rankings; without choices where it asks for none
 * @param reasons of the rankings' ratios
 * @param analyses those asked for besides
 * @param findings the answer first
 */
public record RunReport(
    RunRecord run,
    List<Ranking> rankings,
    Answer answer,
    RatioReasons reasons,
    List<RunAnalysis> analyses,
    List<Finding> findings) {

  /** Report with its findings in order: the answer to the question first, then its limits. */
  public static RunReport of(RunRecord run) {
    ForkJoinTask<List<RunAnalysis>> analysed =
        ForkJoinPool.commonPool().submit(() -> RunAnalyses.of(run));
    List<Ranking> rankings = Rankings.of(run);
    RatioReasons reasons = new RatioReasons(run);
    RankingFindings ranked = new RankingFindings(run, rankings);
    List<RunAnalysis> analyses = analysed.join();
    boolean ranks = run.ranks();
    List<Ranking.Row> recommended = ranked.recommended();
    List<Finding> disturbed = ranked.disturbed();
    List<Finding> findings = new ArrayList<>(asked(run, rankings, ranked, analyses));
    boolean answered = !findings.isEmpty();
    if (answered && !ranks) {
      findings.addAll(1, ranked.guarantees());
    }
    FailedTrials.finding(run, ranks, recommended.stream().map(Ranking.Row::label).toList())
        .ifPresent(failed -> findings.add(answered ? 1 : 0, failed));
    run.experiment()
        .published()
        .ifPresent(of -> findings.addAll(RankingFindings.published(of.source(), rankings)));
    // What is wrong with a grid of the user's own may decide all its figures.
    boolean attached = run.plan().testbed().attach().isPresent();
    findings.addAll(attached ? 0 : findings.size(), diagnoses(run, analyses));
    findings.addAll(ThresholdFindings.of(run, rankings));
    findings.addAll(Limitations.of(run));
    for (String left : run.experiment().variants().onlyFull()) {
      findings.add(Finding.notice("run.shorter-than-full").with("left", left));
    }
    findings.removeAll(disturbed);
    findings.addAll(0, disturbed);
    if (findings.isEmpty()) {
      findings.addAll(ranked.findings());
    }
    boolean valid = run.any(TrialRecord::valid);
    boolean unanswered = (ranks || !answered) && recommended.isEmpty();
    Answer answer = ranked.answer();
    boolean shown = ranks && disturbed.isEmpty();
    List<Finding> lowers = shown ? answer.loweredBy() : List.of();
    boolean few = lowers.stream().anyMatch(doubt -> doubt.id().equals("confidence.few-blocks"));
    Optional<Answer.Next> next =
        valid && disturbed.isEmpty() && !unanswered
            ? NextStep.of(run, isTooWide(findings), few, ranked.blocksWanted())
            : Optional.empty();
    next.map(RunReport::finding).ifPresent(findings::add);
    return new RunReport(
        run,
        rankings,
        new Answer(
            shown ? answer.choices() : List.of(),
            shown ? answer.confidence() : Optional.empty(),
            lowers,
            answer.validFor(),
            next),
        reasons,
        analyses,
        List.copyOf(findings));
  }

  /** The findings of the analyses that the experiment names, in their order. */
  private static List<Finding> asked(
      RunRecord run, List<Ranking> rankings, RankingFindings ranked, List<RunAnalysis> analyses) {
    List<Finding> findings = new ArrayList<>();
    for (String asked : run.experiment().analyses()) {
      boolean some = !rankings.isEmpty() || run.counting().isEmpty();
      if (asked.equals(AnalysisDeclaration.RANKING) && some) {
        findings.addAll(ranked.findings());
      }
      findings.addAll(RunAnalyses.answer(analyses, asked));
    }
    return findings;
  }

  private static List<Finding> diagnoses(RunRecord run, List<RunAnalysis> analyses) {
    return RunAnalyses.further(run).stream()
        .flatMap(id -> analyses.stream().filter(analysis -> analysis.analysis().equals(id)))
        .flatMap(analysis -> analysis.findings().stream())
        .filter(finding -> finding.category().equals("doctor"))
        .toList();
  }

  private static boolean isTooWide(List<Finding> findings) {
    return findings.stream()
        .flatMap(finding -> finding.estimates().values().stream())
        .anyMatch(Estimate::tooWide);
  }

  private static Finding finding(Answer.Next next) {
    return Finding.info("next.run")
        .with("command", next.command())
        .with("duration", next.seconds().stream().mapToObj(Value::seconds).findFirst());
  }

  /** Why the run is not a success, a clause; empty if its trials are valid, its thresholds kept. */
  public Optional<String> failure() {
    List<String> reasons = new ArrayList<>(FailedTrials.reason(run).stream().toList());
    ThresholdFindings.of(run, rankings).stream()
        .filter(finding -> finding.severity() != Severity.INFO)
        .map(finding -> Phrases.clause(finding.sentence()))
        .forEach(reasons::add);
    return reasons.isEmpty() ? Optional.empty() : Optional.of(Phrases.and(reasons));
  }

  public Path html() {
    return run.folder().file("report.html");
  }
}
