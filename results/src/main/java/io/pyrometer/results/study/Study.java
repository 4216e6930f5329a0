package io.pyrometer.results.study;

import io.pyrometer.report.Page;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    FigureTable read = FigureTable.read(request.file(), columns(request));
    FigureTable table = request.trial().map(read::inOrderOf).orElse(read);
    if (request.aim() instanceof StudyRequest.Aim.Against against) {
      return against(table, request, against.column());
    }
    StudyRequest.Aim.Factors factors = (StudyRequest.Aim.Factors) request.aim();
    return factors(table, request, factors.columns());
  }

  private static Set<String> columns(StudyRequest request) {
    Set<String> columns = new HashSet<>(Set.of(request.response()));
    if (request.aim() instanceof StudyRequest.Aim.Against against) {
      columns.add(against.column());
    } else if (request.aim() instanceof StudyRequest.Aim.Factors factors) {
      columns.addAll(factors.columns());
    }
    request.trial().ifPresent(columns::add);
    request.block().ifPresent(columns::add);
    request.replicate().ifPresent(columns::add);
    return columns;
  }

  private static Page against(FigureTable table, StudyRequest request, String column) {
    table.need(column);
    table.rows().forEach(row -> table.number(row, column));
    CombinedRows gathered = CombinedRows.from(table, request, List.of(column));
    StudyResult studied = ScalabilityStudy.of(measured(gathered, request), column);
    String question = "How does " + request.response() + " go with " + column + "?";
    return page(table, request, question, studied.with(gathered.notes()));
  }

  private static Page factors(FigureTable table, StudyRequest request, List<String> factors) {
    CombinedRows gathered = CombinedRows.from(table, request, factors);
    StudyResult studied = FactorStudy.of(measured(gathered, request), factors, Map.of());
    String question = "What do " + words(factors) + " do to " + request.response() + "?";
    return page(table, request, question, studied.with(gathered.notes()));
  }

  private static StudyData measured(CombinedRows gathered, StudyRequest request) {
    return new StudyData(
        gathered.observations(), request.response(), request.unit(), request.scale());
  }

  private static Page page(
      FigureTable table, StudyRequest request, String question, StudyResult studied) {
    return new Page(
        table.name(),
        question,
        table.name() + " · " + studied.about(),
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
