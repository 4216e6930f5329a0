package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Optional;

/**
 * The events of continuous queries: their rate, the delay from a write to its event, and lost and
 * duplicate events.
 */
public final class ContinuousQueriesAnalysis extends WholeRunAnalysis {
  private static final String LOST = Metric.EVENTS + "events-lost";
  private static final String DUPLICATE = Metric.EVENTS + "events-doubled";

  public ContinuousQueriesAnalysis() {
    super("continuous-queries", "continuous queries", "events/s");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    RunRecord listening = run.of(trial -> trial.settings().has(PathSettings.LISTENERS));
    Tabulation all =
        new Tabulation(
            listening,
            TreatmentRow.ranked(listening),
            "No trial listened to events; use a path that has the setting 'listeners'.");
    all.add(Optional.of(completeness(listening, all.rows())));
    // A server event lengthens delays by itself.
    TreatmentRow.operations(all.rows()).stream()
        .limit(1)
        .forEach(
            operation ->
                all.compareLatency(
                    "p99 of the delay of events",
                    operation,
                    LatencyStatistic.P99,
                    row -> !incomplete(row) && !serverEvent(row),
                    1));
    all.show(
        "One row per treatment",
        all.table("no valid trial; or too few events for a p99 (ten must lie beyond it)")
            .estimate(
                "events/s",
                row ->
                    row.throughput()
                        .map(t -> t.times(row.trial().settings().get(PathSettings.LISTENERS), "")))
            .estimate("delay p50 [ms]", row -> row.millis(LatencyStatistic.P50))
            .estimate("delay p99 [ms]", row -> row.millis(LatencyStatistic.P99))
            .number("lost", row -> row.max(LOST))
            .number("duplicate", row -> row.max(DUPLICATE)));
    return all.result(
        "events",
        "Rate, delay and completeness of events",
        "Each write waits until all continuous queries of its agent have received its event; the delay counts from the write, in an open loop from its intended start. Lost: no event arrived within the time-out. Duplicate: more events than writes. Both per 1,000 writes, in the worst trial.",
        "More blocks, another rate or other machines.");
  }

  private static boolean incomplete(TreatmentRow row) {
    return row.max(LOST).orElse(0.0) > 0 || row.max(DUPLICATE).orElse(0.0) > 0;
  }

  private static boolean serverEvent(TreatmentRow row) {
    return row.trials().stream()
        .flatMap(trial -> trial.settings().find(CoreSettings.SERVER_EVENT).stream())
        .anyMatch(event -> !event.equals("none"));
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
    double writes = run.counting().stream().mapToDouble(trial -> trial.counts().calls()).sum();
    return named.isEmpty()
        ? Finding.info(
            Finding.Kind.COMPARISON,
            "No event was lost or duplicated in %s writes of %s."
                .formatted(Numbers.whole(writes), Figures.count(run.counting().size(), "trial")),
            "A longer run, or a failure of another kind: none observed is not a proof.")
        : Finding.warning(
            Finding.Kind.COMPARISON,
            "Events were lost or duplicated, per 1,000 writes in the worst trial: %s. Listeners must tolerate lost and duplicate events."
                .formatted(Phrases.and(named)),
            "Nothing; one such event is conclusive.");
  }
}
