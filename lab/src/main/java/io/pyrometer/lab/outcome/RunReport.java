package io.pyrometer.lab.outcome;

import io.pyrometer.analysis.Finding;
import io.pyrometer.lab.journal.RunException;
import io.pyrometer.lab.journal.RunFolder;
import io.pyrometer.report.HtmlReport;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a run shows, made from its folder alone.
 *
 * @param findings the answer first
 */
public record RunReport(RunRecord run, List<Ranking> rankings, List<Finding> findings) {

  public static RunReport of(RunRecord run) {
    List<Ranking> rankings = Rankings.of(run);
    return new RunReport(run, rankings, Answers.of(run, rankings));
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
      Exports.write(report.run(), report.rankings(), report.findings());
      HtmlReport.write(
          RunPage.of(report.run(), report.rankings(), report.findings()), report.html());
      return report;
    } catch (UncheckedIOException failure) {
      throw new RunException(
          "The report could not be written to %s (%s); make room on the disk."
              .formatted(folder.path(), failure.getMessage()),
          failure);
    }
  }

  public Path html() {
    return run.folder().file("report.html");
  }
}
