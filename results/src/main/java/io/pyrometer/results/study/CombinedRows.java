package io.pyrometer.results.study;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The observations of a file: its rows, those of one treatment and replicate brought together.
 *
 * @param notes what the reader must know about how that was done
 */
record CombinedRows(List<Observation> observations, List<Finding> notes) {

  private record Trial(List<String> levels, String block) {
    Map<String, String> byName(List<String> factors) {
      Map<String, String> named = new LinkedHashMap<>();
      for (int f = 0; f < factors.size(); f++) {
        named.put(factors.get(f), levels.get(f));
      }
      return named;
    }
  }

  /** What the rows of one trial add up to. */
  private static final class Sum {
    private double sum;
    private int rows;

    void add(double value) {
      sum += value;
      rows++;
    }

    double together(StudyRequest.Rows how) {
      return how == StudyRequest.Rows.SUM ? sum : sum / rows;
    }
  }

  static CombinedRows from(FigureTable table, StudyRequest request, List<String> factors) {
    Stream.of(List.of(request.response()), factors, tellingApart(request))
        .flatMap(List::stream)
        .forEach(table::need);
    Map<Trial, Sum> trials = new LinkedHashMap<>();
    for (FigureTable.Row row : table.rows()) {
      List<String> levels = factors.stream().map(factor -> table.text(row, factor)).toList();
      trials
          .computeIfAbsent(new Trial(levels, block(table, row, request)), t -> new Sum())
          .add(table.number(row, request.response()));
    }
    List<Observation> observations = new ArrayList<>();
    trials.forEach(
        (trial, sum) ->
            observations.add(
                new Observation(
                    trial.byName(factors),
                    trial.block(),
                    Map.of(request.response(), sum.together(request.rows())))));
    return new CombinedRows(observations, notes(table, request, trials.size()));
  }

  private static List<String> tellingApart(StudyRequest request) {
    return Stream.of(request.block(), request.replicate()).flatMap(Optional::stream).toList();
  }

  private static String block(FigureTable table, FigureTable.Row row, StudyRequest request) {
    List<String> names =
        tellingApart(request).stream().map(column -> table.text(row, column)).toList();
    return names.isEmpty() ? "1" : String.join(" · ", names);
  }

  private static List<Finding> notes(FigureTable table, StudyRequest request, int trials) {
    if (trials == table.rows().size()) {
      return List.of();
    }
    String how = request.rows() == StudyRequest.Rows.SUM ? "summed" : "averaged";
    String sentence =
        "The %s of %s are of %s: rows of one trial were %s, since they are no replicates."
            .formatted(
                Figures.count(table.rows().size(), "row"),
                table.name(),
                Figures.count(trials, "trial"),
                how);
    return List.of(
        new Finding(
            Finding.Kind.ESTIMATE,
            Finding.Severity.INFO,
            sentence,
            Map.of(),
            "A column that tells replicates apart, named with --replicate."));
  }
}
