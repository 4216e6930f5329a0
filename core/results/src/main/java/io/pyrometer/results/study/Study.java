package io.pyrometer.results.study;

import io.pyrometer.analysis.Finding;
import io.pyrometer.report.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes a page from a file of figures. */
public final class Study {
  private Study() {}

  /**
   * Reads the file, analyses it and lays out what was found.
   *
   * @throws io.pyrometer.analysis.BadDataException in one sentence, if the file or what is in it
   *     cannot be analysed
   */
  public static Page of(StudyRequest request) {
    try (FigureFile file = FigureFile.open(request.file())) {
      List<Finding> notes = new ArrayList<>();
      if (request.aim() instanceof StudyRequest.Aim.Against against) {
        String column = against.column();
        StudyData measured = new CombinedRows(file, request, List.of(column), true).read(notes);
        return page(file, request, column, ScalabilityStudy.of(measured, column), notes);
      }
      List<String> factors = ((StudyRequest.Aim.Factors) request.aim()).columns();
      StudyData measured = new CombinedRows(file, request, factors, false).read(notes);
      StudyResult found = FactorStudy.of(measured, factors, Map.of());
      return page(file, request, words(factors), found, notes);
    }
  }

  private static Page page(
      FigureFile file, StudyRequest request, String by, StudyResult found, List<Finding> notes) {
    return new Page(
        file.name(),
        "How does %s depend on %s?".formatted(request.response(), by),
        file.name() + " · " + found.about(),
        Stream.of(found.findings(), notes).flatMap(List::stream).toList(),
        found.sections(),
        List.of(new Page.Command("Regenerate this page", request.command())));
  }

  private static String words(List<String> factors) {
    int last = factors.size() - 1;
    return last == 0
        ? factors.get(0)
        : String.join(", ", factors.subList(0, last)) + " and " + factors.get(last);
  }
}
