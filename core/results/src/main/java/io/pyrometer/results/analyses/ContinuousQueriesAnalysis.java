package io.pyrometer.results.analyses;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;

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
        new Tabulation(listening, TreatmentRow.ranked(listening), "continuous-queries.no-trial");
    all.warn("continuous-queries.incomplete", ContinuousQueriesAnalysis::incomplete);
    if (all.rows().stream().noneMatch(ContinuousQueriesAnalysis::incomplete)) {
      long writes = listening.counting().stream().mapToLong(t -> t.counts().calls()).sum();
      all.add(
          Finding.info("continuous-queries.complete")
              .with("writes", Value.count(writes))
              .with("trials", Value.count(listening.counting().size())));
    }
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
        "Each write waits until all continuous queries of its agent have received its event; the delay counts from the write, in an open loop from its intended start. Lost (no event within the time-out) and duplicate events are per 1,000 writes, in the worst trial.");
  }

  private static boolean incomplete(TreatmentRow row) {
    return row.max(LOST).orElse(0.0) > 0 || row.max(DUPLICATE).orElse(0.0) > 0;
  }

  private static boolean serverEvent(TreatmentRow row) {
    return row.trials().stream()
        .flatMap(trial -> trial.settings().find(CoreSettings.SERVER_EVENT).stream())
        .anyMatch(event -> !event.equals("none"));
  }
}
