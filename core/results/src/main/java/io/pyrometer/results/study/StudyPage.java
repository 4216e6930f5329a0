package io.pyrometer.results.study;

import io.pyrometer.report.BriefText;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.study.StudyResult.StudyData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The page that answers a question to a file of figures. */
public final class StudyPage {
  private StudyPage() {}

  /**
   * Reads the file, analyses it and lays out what was found.
   *
   * @throws io.pyrometer.analysis.BadDataException in one sentence, if the file or what is in it
   *     cannot be analysed
   */
  public static Page of(StudyRequest request) {
    try (FigureFile figures = FigureFile.open(request.file())) {
      List<Finding> notes = new ArrayList<>();
      StudyData measured = new CombinedRows(figures, request).read(notes);
      StudyResult found =
          request.numeric()
              ? ScalabilityStudy.of(measured, request.columns().get(0))
              : FactorStudy.of(measured, request.columns(), Map.of());
      return new Page(
          figures.name(),
          "How does %s depend on %s?".formatted(request.response(), Phrases.and(request.columns())),
          figures.name() + " · " + found.about(),
          Stream.of(found.findings(), notes).flatMap(List::stream).toList(),
          found.sections(),
          List.of(new Page.Command("Regenerate this page", request.command())));
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
