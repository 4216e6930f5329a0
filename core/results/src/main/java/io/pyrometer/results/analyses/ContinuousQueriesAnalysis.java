package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of continuous queries: their rate, the delay from a write to its event, and lost and
 * duplicate events.
 */
public final class ContinuousQueriesAnalysis implements Analysis {
  private static final String LISTENERS = "listeners";
  private static final String LOST = Metric.EVENTS + "events-lost";
  private static final String DUPLICATE = Metric.EVENTS + "events-doubled";

  @Override
  public String id() {
    return "continuous-queries";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    RunRecord listening = run.of(trial -> trial.settings().has(LISTENERS));
    return List.of(
        RunAnalysis.whole(id(), "continuous queries", "events/s", () -> analyze(listening)));
  }

  private static StudyResult analyze(RunRecord run) {
    List<TreatmentRow> rows = TreatmentRow.of(run.counting(), Rankings::label, Rankings.of(run));
    if (rows.isEmpty()) {
      throw new BadDataException(
          "No trial listened to events; use a path that has the setting 'listeners'.");
    }
    // A server event lengthens delays by itself.
    MetricComparison delays =
        MetricComparison.of(
            run,
            "p99 of the delay of events",
            new NamedMetric("delay.p99", "µs", Direction.LOWER),
            rows.stream().filter(row -> !incomplete(row) && !serverEvent(row)).toList(),
            row -> row.millis(LatencyStatistic.P99),
            row -> row.replicates(row.latencies().get(0).operation(), LatencyStatistic.P99),
            1);
    List<Finding> findings = new ArrayList<>(List.of(completeness(run, rows)));
    delays.finding("More blocks, another rate or other machines.").ifPresent(findings::add);
    MetricTable<TreatmentRow> table =
        new MetricTable<TreatmentRow>(
                "no valid trial; or too few events for a p99 (ten must lie beyond it)")
            .text("treatment", TreatmentRow::label)
            .estimate(
                "events/s",
                row ->
                    row.throughput()
                        .map(t -> t.times(row.trial().settings().integer(LISTENERS), "")))
            .estimate("delay p50 [ms]", row -> row.millis(LatencyStatistic.P50))
            .estimate("delay p99 [ms]", row -> row.millis(LatencyStatistic.P99))
            .number("lost", row -> row.max(LOST))
            .number("duplicate", row -> row.max(DUPLICATE));
    List<Figure> figures = new ArrayList<>(List.of(table.figure("One row per treatment", rows)));
    MetricComparison.figure(List.of(delays)).ifPresent(figures::add);
    return StudyResult.of(
        findings,
        new Section(
            "events",
            "Rate, delay and completeness of events",
            "Each write waits until all continuous queries of its agent have received its event; the"
                + " delay counts from the write, in an open loop from its intended start. Lost: no"
                + " event arrived within the time-out. Duplicate: more events than writes. Both per"
                + " 1,000 writes, in the worst trial.",
            figures));
  }

  private static boolean incomplete(TreatmentRow row) {
    return row.max(LOST).orElse(0.0) > 0 || row.max(DUPLICATE).orElse(0.0) > 0;
  }

  private static boolean serverEvent(TreatmentRow row) {
    return row.trials().stream()
        .anyMatch(
            trial ->
                trial
                    .settings()
                    .find(CoreSettings.SERVER_EVENT)
                    .filter(event -> !event.equals("none"))
                    .isPresent());
  }

  private static Finding completeness(RunRecord run, List<TreatmentRow> rows) {
    List<String> named =
        rows.stream()
            .filter(ContinuousQueriesAnalysis::incomplete)
            .map(
                row ->
                    "%s (lost %s, duplicate %s)"
                        .formatted(
                            row.label(),
                            row.max(LOST).map(Numbers::shorten).orElse("?"),
                            row.max(DUPLICATE).map(Numbers::shorten).orElse("?")))
            .toList();
    if (!named.isEmpty()) {
      return Finding.warning(
          Finding.Kind.COMPARISON,
          "Events were lost or duplicated, per 1,000 writes in the worst trial: %s. Listeners must tolerate lost and duplicate events."
              .formatted(Phrases.and(named)),
          "Nothing; one such event is conclusive.");
    }
    double writes = run.counting().stream().mapToDouble(trial -> trial.counts().calls()).sum();
    return Finding.info(
        Finding.Kind.COMPARISON,
        "No event was lost or duplicated in %s writes of %d trials."
            .formatted(Numbers.whole(writes), run.counting().size()),
        "A longer run, or a failure of another kind: none observed is not a proof.");
  }
}
