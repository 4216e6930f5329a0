package io.pyrometer.results.page;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What was recorded beside the load: the metrics of roles, and the files to look at. */
final class TelemetrySection {
  /** Recorded even where the experiment asks for no telemetry. */
  private static final String ALWAYS = "cpu.";

  private TelemetrySection() {}

  /** Empty where the run's experiment asked for none. */
  static Optional<Section> of(RunRecord run) {
    List<Figure> figures = new ArrayList<>();
    Table metrics = metrics(run);
    if (!metrics.rows().isEmpty()) {
      figures.add(Figure.of("Metrics, mean over the blocks", metrics));
    }
    Table files = files(run);
    if (!files.rows().isEmpty()) {
      figures.add(Figure.of("Artefacts", files));
    }
    Table unavailable = unavailable(run);
    if (!unavailable.rows().isEmpty()) {
      figures.add(Figure.of("Telemetry that could not record", unavailable));
    }
    boolean more =
        !files.rows().isEmpty()
            || !unavailable.rows().isEmpty()
            || metrics.rows().stream().anyMatch(row -> !row.get(1).startsWith(ALWAYS));
    return !more
        ? Optional.empty()
        : Optional.of(
            new Section(
                "telemetry",
                "Telemetry",
                "Recorded from the start of the measured part until the agents stopped. Sums over"
                    + " the processes of a role; maxima are the largest of any process.",
                figures));
  }

  private static Table metrics(RunRecord run) {
    Map<String, Map<String, List<Metric>>> byTreatment = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      Map<String, List<Metric>> values =
          byTreatment.computeIfAbsent(Rankings.label(trial), label -> new TreeMap<>());
      trial.metrics().entrySet().stream()
          .filter(
              metric -> metric.getKey().endsWith(".nodes") || metric.getKey().endsWith(".agents"))
          .forEach(
              metric ->
                  values
                      .computeIfAbsent(metric.getKey(), name -> new ArrayList<>())
                      .add(metric.getValue()));
    }
    List<List<String>> rows = new ArrayList<>();
    byTreatment.forEach(
        (treatment, values) ->
            values.forEach(
                (name, metrics) ->
                    rows.add(
                        List.of(
                            treatment,
                            name,
                            Numbers.shorten(
                                metrics.stream()
                                    .mapToDouble(Metric::value)
                                    .average()
                                    .orElseThrow()),
                            metrics.get(0).unit(),
                            String.valueOf(metrics.size())))));
    return new Table(
        List.of("treatment", "metric", "mean", "unit", "blocks"),
        rows,
        List.of(
            Table.Align.LEFT,
            Table.Align.LEFT,
            Table.Align.RIGHT,
            Table.Align.LEFT,
            Table.Align.RIGHT));
  }

  private static Table files(RunRecord run) {
    List<List<String>> rows = new ArrayList<>();
    for (TrialRecord trial : run.finished()) {
      trial.artefacts().stream()
          .filter(artefact -> !artefact.kind().equals(RunFolder.HISTOGRAM))
          .forEach(
              artefact ->
                  rows.add(
                      List.of(
                          Rankings.label(trial) + ", block " + (trial.block() + 1),
                          artefact.kind(),
                          artefact.process(),
                          artefact.file())));
    }
    return Table.ofWords(List.of("trial", "kind", "of", "file"), rows);
  }

  private static Table unavailable(RunRecord run) {
    return Table.ofWords(
        List.of("reason"),
        run.finished().stream()
            .flatMap(
                trial ->
                    Optional.ofNullable(trial.configuration().get(TrialRecord.UNAVAILABLE))
                        .stream())
            .distinct()
            .map(List::of)
            .toList());
  }
}
