package io.pyrometer.results.page;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** What was recorded beside the load: the metrics of roles, and the files to look at. */
final class TelemetrySection {
  /** Recorded even where the experiment asks for no telemetry. */
  private static final String ALWAYS = "cpu.";

  private TelemetrySection() {}

  /** Empty where the run's experiment asked for none. */
  static Optional<Section> of(RunRecord run) {
    Figure metrics = Figure.of("Metrics, mean over the blocks", metrics(run));
    Figure files = Figure.of("Artefacts", files(run));
    Figure unavailable = Figure.of("Telemetry that could not record", unavailable(run));
    boolean more =
        !files.table().rows().isEmpty()
            || !unavailable.table().rows().isEmpty()
            || metrics.table().rows().stream().anyMatch(row -> !row.get(1).startsWith(ALWAYS));
    return !more
        ? Optional.empty()
        : Optional.of(
            new Section(
                "telemetry",
                "Telemetry",
                "Recorded from the start of the measured part until the agents stopped. Sums over"
                    + " the processes of a role; maxima are the largest of any process.",
                Stream.of(metrics, files, unavailable)
                    .filter(figure -> !figure.table().rows().isEmpty())
                    .toList()));
  }

  private static Table metrics(RunRecord run) {
    record Values(String treatment, String metric, List<Metric> of) {}
    Map<String, Map<String, Values>> byTreatment = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      String treatment = Rankings.label(trial);
      Map<String, Values> values = byTreatment.computeIfAbsent(treatment, label -> new TreeMap<>());
      trial
          .metrics()
          .forEach(
              (name, metric) -> {
                if (name.endsWith(".nodes") || name.endsWith(".agents")) {
                  values
                      .computeIfAbsent(name, n -> new Values(treatment, n, new ArrayList<>()))
                      .of()
                      .add(metric);
                }
              });
    }
    return new MetricTable<Values>()
        .text("treatment", Values::treatment)
        .text("metric", Values::metric)
        .number("mean", each -> average(each.of()))
        .text("unit", each -> each.of().get(0).unit())
        .count("blocks", each -> each.of().size())
        .of(byTreatment.values().stream().flatMap(of -> of.values().stream()).toList());
  }

  private static Optional<Double> average(List<Metric> metrics) {
    return Optional.of(metrics.stream().mapToDouble(Metric::value).average().orElseThrow());
  }

  private static Table files(RunRecord run) {
    record File(TrialRecord trial, TrialRecord.Artefact artefact) {}
    return new MetricTable<File>()
        .text("trial", f -> Rankings.label(f.trial()) + ", block " + (f.trial().block() + 1))
        .text("kind", f -> f.artefact().kind())
        .text("of", f -> f.artefact().process())
        .text("file", f -> f.artefact().file())
        .of(
            run.finished().stream()
                .flatMap(t -> t.artefacts().stream().map(artefact -> new File(t, artefact)))
                .filter(f -> !f.artefact().kind().equals(RunFolder.HISTOGRAM))
                .toList());
  }

  private static Table unavailable(RunRecord run) {
    return new MetricTable<String>()
        .text("reason", Function.identity())
        .of(
            run.finished().stream()
                .map(trial -> trial.configuration().get(TrialRecord.UNAVAILABLE))
                .filter(Objects::nonNull)
                .distinct()
                .toList());
  }
}
