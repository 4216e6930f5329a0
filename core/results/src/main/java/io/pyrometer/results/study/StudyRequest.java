package io.pyrometer.results.study;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.BriefText;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.results.Phrases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A question to a file of figures.
 *
 * @param file comma-separated values with a header
 * @param response the column to explain
 * @param unit of the response; may be empty
 * @param trial the column that numbers the trials: runs are listed in its order
 * @param replicate the column that tells replicates apart
 * @param block the column that tells blocks apart
 * @param start the columns that were set once for a start of processes; empty to go by the order of
 *     rows
 * @param rows what several rows of one treatment and replicate become
 * @param scale on which effects and residuals are taken to add up
 * @param command as typed, for the page's section on how to run it again
 */
public record StudyRequest(
    Path file,
    String response,
    String unit,
    Aim aim,
    Optional<String> trial,
    Optional<String> replicate,
    Optional<String> block,
    List<String> start,
    Rows rows,
    ResponseScale scale,
    String command) {
  /** The columns that are to explain the response. */
  public sealed interface Aim {

    /** By one number, with the scalability law and its rivals. */
    record Against(String column) implements Aim {}

    /** By the levels of factors. */
    record Factors(List<String> columns) implements Aim {}
  }

  /** Treatment of several rows of one treatment and replicate. */
  public enum Rows {
    /** Their mean, as for repeated readings. */
    MEAN,
    /** Their sum, as for the throughput of the clients of one trial. */
    SUM,
    /** Each stays a trial of its own. */
    REPLICATES
  }

  /**
   * Reads the file, analyses it and lays out what was found.
   *
   * @throws io.pyrometer.analysis.BadDataException in one sentence, if the file or what is in it
   *     cannot be analysed
   */
  public Page page() {
    boolean numeric = aim instanceof Aim.Against;
    List<String> columns =
        aim instanceof Aim.Factors by
            ? by.columns().stream().distinct().toList()
            : List.of(((Aim.Against) aim).column());
    try (FigureFile figures = FigureFile.open(file)) {
      List<Finding> notes = new ArrayList<>();
      StudyData measured = new CombinedRows(figures, this, columns, numeric).read(notes);
      StudyResult found =
          numeric
              ? ScalabilityStudy.of(measured, columns.get(0))
              : FactorStudy.of(measured, columns, Map.of());
      return new Page(
          figures.name(),
          "How does %s depend on %s?".formatted(response, Phrases.and(columns)),
          figures.name() + " · " + found.about(),
          Stream.of(found.findings(), notes).flatMap(List::stream).toList(),
          found.sections(),
          List.of(new Page.Command("Regenerate this page", command)));
    }
  }

  /** The brief form of a page: what was found, and the table of the parameters or effects. */
  public static BriefText brief(Page page) {
    List<Finding> all = page.answer();
    List<Finding> answer =
        all.stream()
            .filter(
                finding ->
                    finding.equals(all.get(0))
                        || (finding.severity() == Finding.Severity.INFO
                            && !finding.category().equals("input")))
            .toList();
    List<Finding> limits = all.stream().filter(finding -> !answer.contains(finding)).toList();
    Section last = page.sections().get(page.sections().size() - 1);
    Section shown =
        page.sections().stream().filter(s -> s.id().equals("effects")).findFirst().orElse(last);
    Figure table = shown.figures().get(shown.figures().size() - 1);
    return new BriefText(List.of(page.question()), answer, table, limits);
  }
}
