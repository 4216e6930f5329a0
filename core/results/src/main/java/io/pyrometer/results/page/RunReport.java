package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.report.HtmlReport;
import io.pyrometer.report.Page;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RatioReasons;
import io.pyrometer.results.analyses.RunAnalyses;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.ranking.Answer;
import io.pyrometer.results.ranking.NextStep;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.RankingFindings;
import io.pyrometer.results.ranking.Rankings;
import java.io.UncheckedIOException;
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

  public static RunReport of(RunRecord run) {
    ForkJoinTask<List<RunAnalysis>> analysed =
        ForkJoinPool.commonPool().submit(() -> RunAnalyses.of(run));
    List<Ranking> rankings = Rankings.of(run);
    RatioReasons reasons = new RatioReasons(run);
    return new Builder(run, rankings, reasons, analysed.join()).report();
  }

  /** Puts the findings in their order: the answer to the question first, then what limits it. */
  private record Builder(
      RunRecord run,
      List<Ranking> rankings,
      RankingFindings ranked,
      RatioReasons reasons,
      List<RunAnalysis> analyses) {
    Builder(
        RunRecord run, List<Ranking> rankings, RatioReasons reasons, List<RunAnalysis> analyses) {
      this(run, rankings, new RankingFindings(run, rankings), reasons, analyses);
    }

    RunReport report() {
      List<Finding> findings = new ArrayList<>(asked());
      boolean ranks = ranks(run) || findings.isEmpty();
      List<Ranking.Row> recommended = ranked.recommended();
      boolean answered = !findings.isEmpty();
      if (answered && !ranks) {
        findings.addAll(1, ranked.guarantees());
      }
      FailedTrials.finding(run, ranks(run), recommended.stream().map(Ranking.Row::label).toList())
          .ifPresent(failed -> findings.add(answered ? 1 : 0, failed));
      run.plan()
          .experiment()
          .published()
          .ifPresent(of -> findings.addAll(RankingFindings.published(of.source(), rankings)));
      // What is wrong with a grid of the user's own may decide all its figures.
      boolean attached = run.plan().testbed().attach().isPresent();
      findings.addAll(attached ? 0 : findings.size(), diagnoses());
      List<Finding> disturbed = ranked.disturbed();
      if (ranks && disturbed.isEmpty()) {
        ThresholdFindings.ofRecommended(run, rankings, recommended).ifPresent(findings::add);
      }
      findings.addAll(ThresholdFindings.of(run, rankings));
      findings.addAll(Limitations.of(run));
      run.plan()
          .experiment()
          .variants()
          .onlyFull()
          .forEach(
              left -> findings.add(Finding.notice("run.shorter-than-full").with("left", left)));
      findings.removeAll(disturbed);
      findings.addAll(0, disturbed);
      if (findings.isEmpty()) {
        findings.addAll(ranked.findings());
      }
      boolean valid = run.any(trial -> trial.outcome() == Outcome.OK);
      boolean unanswered = !disturbed.isEmpty() || (ranks && recommended.isEmpty());
      Optional<Answer.Next> next =
          valid && !unanswered
              ? Optional.of(NextStep.of(run, isTooWide(findings), ranked.blocksWanted()))
              : Optional.empty();
      next.map(Builder::finding).ifPresent(findings::add);
      return new RunReport(run, rankings, answer(next), reasons, analyses, List.copyOf(findings));
    }

    private Answer answer(Optional<Answer.Next> next) {
      Answer of = ranked.answer();
      boolean shown = ranks(run) && ranked.disturbed().isEmpty();
      return new Answer(
          shown ? of.choices() : List.of(),
          shown ? of.confidence() : Optional.empty(),
          shown ? of.loweredBy() : List.of(),
          of.validFor(),
          next);
    }

    /** The findings of the analyses that the experiment names, in their order. */
    private List<Finding> asked() {
      List<Finding> findings = new ArrayList<>();
      for (String asked : run.plan().experiment().analyses()) {
        boolean some = !rankings.isEmpty() || run.counting().isEmpty();
        if (asked.equals(AnalysisDeclaration.RANKING) && some) {
          findings.addAll(ranked.findings());
        }
        findings.addAll(RunAnalyses.answer(analyses, asked));
      }
      return findings;
    }

    private List<Finding> diagnoses() {
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
      Finding finding = Finding.info("next.run").with("command", next.command());
      return next.seconds().isPresent()
          ? finding.with("duration", Value.seconds(next.seconds().getAsDouble()))
          : finding;
    }
  }

  /**
   * Reads a folder, and writes {@code report.html}, {@code results.csv} and {@code results.json}
   * into it.
   *
   * @throws RunException if it cannot be read or written
   */
  public static RunReport write(RunFolder folder) {
    RunReport report = of(RunRecord.load(folder));
    try {
      ForkJoinTask<?> files = ForkJoinPool.commonPool().submit(() -> ResultFiles.write(report));
      Path html = report.html();
      HtmlReport.write(RunPage.of(report), html);
      files.join();
      return report;
    } catch (UncheckedIOException failure) {
      throw RunException.of(
          "The report could not be written to %s (%s); make room on the disk.",
          folder.path(), failure.getMessage(), failure);
    }
  }

  /** Writes another page and returns its file; throws {@link RunException} if it cannot. */
  static Path write(Page page, Path file) {
    try {
      HtmlReport.write(page, file);
      return file;
    } catch (UncheckedIOException failure) {
      throw RunException.of(
          "%s cannot be written (%s); make room on the disk.", file, failure.getMessage(), failure);
    }
  }

  /** The page of the report. */
  public Page page() {
    return RunPage.of(this);
  }

  /** Content of {@code results.json}, to be written as JSON. */
  public Object results() {
    return ResultFiles.results(this);
  }

  /** Returns whether the experiment asks to rank its treatments. */
  public boolean ranked() {
    return ranks(run);
  }

  private static boolean ranks(RunRecord run) {
    return run.plan().experiment().analyses().contains(AnalysisDeclaration.RANKING);
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
