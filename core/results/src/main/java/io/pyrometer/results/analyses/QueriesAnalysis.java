package io.pyrometer.results.analyses;

import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.MetricTable;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Set;

/** The latency of each query of a mix with every treatment, and treatments with wrong results. */
public final class QueriesAnalysis extends WholeRunAnalysis {
  public QueriesAnalysis() {
    super("queries", "queries", "ms");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    RunRecord queried = run.of(trial -> trial.job() == Job.QUERY);
    Tabulation all = new Tabulation(queried, TreatmentRow.ranked(queried), "queries.no-trial");
    all.warnOfWrongContents("queries.wrong");
    Set<String> queries = TreatmentRow.operations(all.rows());
    for (LatencyStatistic statistic : List.of(LatencyStatistic.P50, LatencyStatistic.P99)) {
      MetricTable<TreatmentRow> table =
          all.table("no valid trial; or too few calls for a p99 (ten must lie beyond it)")
              .estimate("queries/s", TreatmentRow::throughput);
      queries.forEach(query -> table.estimate(query, row -> row.millis(query, statistic)));
      all.show("%s in ms".formatted(statistic.label()), table);
    }
    for (String query : queries) {
      all.compareLatency(
          "p50 of the query '%s'".formatted(query),
          query,
          LatencyStatistic.P50,
          row -> true,
          queries.size());
    }
    return all.result(
        "queries",
        "Latency of each query",
        "From the call until all rows have arrived. Before the load the rows of each query are compared with those of a reference database; a trial with other rows has no figures.");
  }
}
