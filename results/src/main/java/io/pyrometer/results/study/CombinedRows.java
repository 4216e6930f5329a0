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

  private record Trial(Map<String, String> levels, String block) {}

  static CombinedRows from(FigureTable table, StudyRequest request, List<String> factors) {
    Stream.of(List.of(request.response()), factors, tellingApart(request))
        .flatMap(List::stream)
        .forEach(table::need);
    Map<Trial, List<Double>> trials = new LinkedHashMap<>();
    for (FigureTable.Row row : table.rows()) {
      Map<String, String> levels = new LinkedHashMap<>();
      factors.forEach(factor -> levels.put(factor, table.text(row, factor)));
      trials
          .computeIfAbsent(new Trial(levels, block(table, row, request)), t -> new ArrayList<>())
          .add(table.number(row, request.response()));
    }
    List<Observation> observations = new ArrayList<>();
    trials.forEach(
        (trial, values) ->
            observations.add(
                new Observation(
                    trial.levels(),
                    trial.block(),
                    Map.of(request.response(), together(values, request.rows())))));
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

  private static double together(List<Double> values, StudyRequest.Rows rows) {
    double sum = values.stream().mapToDouble(Double::doubleValue).sum();
    return rows == StudyRequest.Rows.SUM ? sum : sum / values.size();
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
