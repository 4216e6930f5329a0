package io.pyrometer.results.page;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.report.HtmlReport;
import io.pyrometer.report.Page;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RatioReasons;
import io.pyrometer.results.analyses.RunAnalyses;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.analyses.RunMemory;
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
 * What a run shows, made from its folder alone.
 *
 * @param rankings of every job, whether asked for or not
 * @param reasons of the rankings' ratios
 * @param analyses those asked for besides
 * @param findings the answer first
 */
public record RunReport(
    RunRecord run,
    List<Ranking> rankings,
    RatioReasons reasons,
    List<RunAnalysis> analyses,
    List<Finding> findings) {

  public static RunReport of(RunRecord run) {
    ForkJoinTask<List<RunAnalysis>> analysed =
        ForkJoinPool.commonPool().submit(() -> RunAnalyses.of(run));
    List<Ranking> rankings = Rankings.of(run);
    RatioReasons reasons = RatioReasons.of(run, rankings);
    List<RunAnalysis> analyses = analysed.join();
    return new RunReport(
        run, rankings, reasons, analyses, findings(run, rankings, reasons, analyses));
  }

  /** The answer to the question first, then what limits it; never empty. */
  private static List<Finding> findings(
      RunRecord run, List<Ranking> rankings, RatioReasons reasons, List<RunAnalysis> analyses) {
    List<Finding> findings = new ArrayList<>();
    RankingFindings ranked = new RankingFindings(run, rankings);
    boolean unanswered = !ranked.disturbed().isEmpty();
    for (String asked : run.plan().experiment().analyses()) {
      boolean ranks = !rankings.isEmpty() || run.counting().isEmpty();
      if (asked.equals(AnalysisDeclaration.RANKING) && ranks) {
        findings.addAll(ranked.findings());
        unanswered |= ranked.recommended().isEmpty();
        findings.addAll(reasons.findings(ranked.recommended()));
      }
      findings.addAll(RunAnalyses.answer(analyses, asked));
    }
    boolean answered = !findings.isEmpty();
    if (answered && !run.plan().experiment().analyses().contains(AnalysisDeclaration.RANKING)) {
      findings.addAll(1, ranked.guarantees());
    }
    List<String> recommended = ranked.recommended().stream().map(Ranking.Row::label).toList();
    FailedTrials.finding(run, ranks(run), recommended)
        .ifPresent(failed -> findings.add(answered ? 1 : 0, failed));
    run.plan()
        .experiment()
        .published()
        .ifPresent(
            published -> findings.addAll(RankingFindings.published(published.source(), rankings)));
    List<Finding> diagnoses =
        RunAnalyses.further(run).stream()
            .flatMap(id -> analyses.stream().filter(analysis -> analysis.analysis().equals(id)))
            .flatMap(analysis -> analysis.findings().stream())
            .filter(finding -> finding.kind().filter(k -> k == Kind.DIAGNOSIS).isPresent())
            .toList();
    // What is wrong with a grid of the user's own may decide all its figures.
    findings.addAll(run.plan().testbed().attach().isPresent() ? 0 : findings.size(), diagnoses);
    RunMemory.finding(run).ifPresent(findings::add);
    if (ranks(run) && NextStep.ofDisturbed(run).isEmpty()) {
      ThresholdFindings.ofRecommended(run, rankings, ranked.recommended()).ifPresent(findings::add);
    }
    findings.addAll(ThresholdFindings.of(run, rankings));
    findings.addAll(Limitations.of(run));
    run.plan().experiment().variants().onlyFull().forEach(each -> findings.add(shortcoming(each)));
    findings.removeAll(ranked.disturbed());
    findings.addAll(0, ranked.disturbed());
    if (findings.isEmpty()) {
      findings.addAll(ranked.findings());
      unanswered = ranked.recommended().isEmpty();
    }
    boolean valid = run.counting().stream().anyMatch(trial -> trial.outcome() == Outcome.OK);
    if (valid && !unanswered) {
      findings.add(NextStep.of(run, List.copyOf(findings), ranked.blocksWanted()));
    }
    return findings;
  }

  private static Finding shortcoming(String sentence) {
    return Finding.notice(
        Kind.NOT_ENOUGH_RUNS,
        "This run is shorter than the full one and leaves open: " + sentence,
        "The same command with --full.");
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

  /** What {@code results.json} holds, to be written as JSON. */
  public Object results() {
    return ResultFiles.results(this);
  }

  /** Whether the experiment asks to rank its treatments. */
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
        .map(finding -> finding.sentence().replaceFirst("\\. The interval .*", "."))
        .map(Phrases::clause)
        .forEach(reasons::add);
    return reasons.isEmpty() ? Optional.empty() : Optional.of(Phrases.and(reasons));
  }

  public Path html() {
    return run.folder().file("report.html");
  }
}
