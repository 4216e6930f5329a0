package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The latency of each query of a mix with every treatment, and treatments with wrong results. */
public final class QueriesAnalysis implements Analysis {

  @Override
  public String id() {
    return "queries";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    RunRecord queried = run.of(trial -> trial.job() == Job.QUERY);
    return List.of(RunAnalysis.whole(id(), "queries", "ms", () -> analyze(queried)));
  }

  private static StudyResult analyze(RunRecord run) {
    if (run.counting().isEmpty()) {
      throw new BadDataException(
          "No trial executed a query; use a path of the job 'query', such as sql-select.");
    }
    List<TreatmentRow> rows =
        Rankings.of(run).stream()
            .flatMap(ranking -> ranking.rows().stream())
            .map(row -> row(run, row))
            .toList();
    Set<String> queries = new LinkedHashSet<>();
    rows.forEach(row -> row.latencies().forEach(latency -> queries.add(latency.operation())));
    List<Finding> findings = new ArrayList<>();
    WrongContents.of(run, "Results differ from those of the reference database")
        .ifPresent(findings::add);
    List<MetricComparison> comparisons =
        queries.stream().map(query -> comparison(run, rows, query, queries.size())).toList();
    comparisons.forEach(
        each ->
            each.finding("More blocks, more records, other parameters or other machines.")
                .ifPresent(findings::add));
    List<Figure> figures = new ArrayList<>();
    for (LatencyStatistic statistic : List.of(LatencyStatistic.P50, LatencyStatistic.P99)) {
      figures.add(table(queries, statistic).figure("%s in ms".formatted(statistic.label()), rows));
    }
    MetricComparison.figure(comparisons).ifPresent(figures::add);
    return StudyResult.of(
        findings,
        new Section(
            "queries",
            "Latency of each query",
            "From the call until all rows have arrived. Before the load each query is executed with"
                + " the same parameters in all trials of a block, and its rows are compared with"
                + " those of a reference database that holds all records; a trial with other rows"
                + " has no figures.",
            figures));
  }

  private static TreatmentRow row(RunRecord run, Ranking.Row ranked) {
    return new TreatmentRow(
        ranked.label(),
        run.counting().stream()
            .filter(trial -> Rankings.label(trial).equals(ranked.label()))
            .toList(),
        Optional.of(ranked));
  }

  private static MetricTable<TreatmentRow> table(Set<String> queries, LatencyStatistic statistic) {
    MetricTable<TreatmentRow> table =
        new MetricTable<TreatmentRow>("too few calls for a p99 (ten must lie beyond it)")
            .text("treatment", TreatmentRow::label)
            .estimate("queries/s", TreatmentRow::throughput);
    queries.forEach(query -> table.estimate(query, row -> row.millis(query, statistic)));
    return table;
  }

  private static MetricComparison comparison(
      RunRecord run, List<TreatmentRow> rows, String query, int queries) {
    LatencyStatistic p50 = LatencyStatistic.P50;
    return MetricComparison.of(
        run,
        "the p50 of the query '%s'".formatted(query),
        new NamedMetric(Metric.latency(query, p50), "µs", Direction.LOWER),
        rows,
        row -> row.millis(query, p50),
        row -> row.replicates(query, p50),
        queries);
  }
}
