package io.pyrometer.results.study;

import io.pyrometer.report.Page;
import java.util.List;
import java.util.Map;

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
      if (request.aim() instanceof StudyRequest.Aim.Against against) {
        return against(file, request, against.column());
      }
      StudyRequest.Aim.Factors factors = (StudyRequest.Aim.Factors) request.aim();
      return factors(file, request, factors.columns());
    }
  }

  private static Page against(FigureFile file, StudyRequest request, String column) {
    CombinedRows gathered = CombinedRows.from(file, request, List.of(column), true);
    StudyResult studied = ScalabilityStudy.of(measured(gathered, request), column);
    String question = "How does " + request.response() + " depend on " + column + "?";
    return page(file, request, question, studied.with(gathered.notes()));
  }

  private static Page factors(FigureFile file, StudyRequest request, List<String> factors) {
    CombinedRows gathered = CombinedRows.from(file, request, factors, false);
    StudyResult studied = FactorStudy.of(measured(gathered, request), factors, Map.of());
    String question = "How does " + request.response() + " depend on " + words(factors) + "?";
    return page(file, request, question, studied.with(gathered.notes()));
  }

  private static StudyData measured(CombinedRows gathered, StudyRequest request) {
    return new StudyData(
        gathered.observations(), request.response(), request.unit(), request.scale());
  }

  private static Page page(
      FigureFile file, StudyRequest request, String question, StudyResult studied) {
    return new Page(
        file.name(),
        question,
        file.name() + " · " + studied.about(),
        studied.findings(),
        studied.sections(),
        List.of(new Page.Command("Make this page again", request.command())));
  }

  private static String words(List<String> factors) {
    int last = factors.size() - 1;
    return last == 0
        ? factors.get(0)
        : String.join(", ", factors.subList(0, last)) + " and " + factors.get(last);
  }
}
