package io.pyrometer.results.page;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.report.HtmlReport;
import io.pyrometer.report.Page;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RunAnalyses;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * What a run shows, made from its folder alone.
 *
 * @param rankings of every job, whether asked for or not
 * @param analyses those asked for besides
 * @param findings the answer first
 */
public record RunReport(
    RunRecord run, List<Ranking> rankings, List<RunAnalysis> analyses, List<Finding> findings) {

  public static RunReport of(RunRecord run) {
    ForkJoinTask<List<RunAnalysis>> analysed =
        ForkJoinPool.commonPool().submit(() -> RunAnalyses.of(run));
    List<Ranking> rankings = Rankings.of(run);
    List<RunAnalysis> analyses = analysed.join();
    return new RunReport(run, rankings, analyses, RunFindings.of(run, rankings, analyses));
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
      HtmlReport.write(report.page(), report.html());
      files.join();
      return report;
    } catch (UncheckedIOException failure) {
      throw new RunException(
          "The report could not be written to %s (%s); make room on the disk."
              .formatted(folder.path(), failure.getMessage()),
          failure);
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
    return run.plan().experiment().analyses().contains(AnalysisDeclaration.RANKING);
  }

  /** Whether every threshold of the experiment is kept. */
  public boolean keepsThresholds() {
    return ThresholdFindings.of(run).stream()
        .allMatch(finding -> finding.severity() == Finding.Severity.INFO);
  }

  public Path html() {
    return run.folder().file("report.html");
  }
}
