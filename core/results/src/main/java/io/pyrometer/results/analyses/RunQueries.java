package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How long each query of a mix takes with every treatment, and which answer otherwise. */
final class RunQueries {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "queries";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunQueries.of(run);
    }
  }

  private final RunRecord run;
  private final List<Ranking.Row> rows;
  private final Set<String> queries = new LinkedHashSet<>();

  private RunQueries(RunRecord run) {
    this.run = run;
    this.rows = Rankings.of(run).stream().flatMap(ranking -> ranking.rows().stream()).toList();
    rows.forEach(row -> row.latencies().forEach(latency -> queries.add(latency.operation())));
  }

  static List<RunAnalysis> of(RunRecord run) {
    RunRecord asking = run.of(trial -> trial.job() == Job.QUERY);
    return List.of(
        new RunAnalysis(
            "queries",
            "",
            "queries",
            "ms",
            true,
            RunAnalyses.analyze(() -> new RunQueries(asking).analyze())));
  }

  private StudyResult analyze() {
    if (run.counting().isEmpty()) {
      throw new BadDataException(
          "No trial asked a query: take a path of the job 'query', such as sql-select.");
    }
    List<Finding> findings = new ArrayList<>();
    WrongContents.of(run, "Not the rows that one database with all records gives")
        .ifPresent(findings::add);
    queries.forEach(query -> fastest(query).ifPresent(findings::add));
    Section section =
        new Section(
            "queries",
            "Time of each query",
            "From the call until all rows are there. Before the load each query is asked with the"
                + " same parameters in all trials of a block, and its rows are compared with those of one"
                + " database that holds all records; a trial with other rows has no figures.",
            List.of(
                Exhibit.of("p50 in ms", table(LatencyStatistic.P50)),
                Exhibit.of("p99 in ms", table(LatencyStatistic.P99))));
    return new StudyResult("", findings, List.of(section), List.of());
  }

  private Table table(LatencyStatistic statistic) {
    List<String> columns = new ArrayList<>(List.of("treatment", "queries/s"));
    columns.addAll(queries);
    List<List<String>> cells = new ArrayList<>();
    for (Ranking.Row row : rows) {
      List<String> line = new ArrayList<>(List.of(row.label()));
      line.add(Numbers.estimate(row.throughput()));
      for (String query : queries) {
        line.add(millis(row, query, statistic).map(Numbers::estimate).orElse(Table.ABSENT));
      }
      cells.add(line);
    }
    return Table.of(columns, 0, cells)
        .withAbsent("too few calls for a p99 (ten must lie beyond it)");
  }

  private static Optional<Estimate> millis(
      Ranking.Row row, String query, LatencyStatistic statistic) {
    return row.latencies().stream()
        .filter(latency -> latency.operation().equals(query))
        .flatMap(latency -> latency.of(statistic).stream())
        .findFirst()
        .map(micros -> micros.times(1e-3, "ms"));
  }

  private Optional<Finding> fastest(String query) {
    record Timed(String label, Estimate millis) {}
    List<Timed> timed =
        rows.stream()
            .flatMap(
                row ->
                    millis(row, query, LatencyStatistic.P50).stream()
                        .map(millis -> new Timed(row.label(), millis)))
            .sorted(Comparator.comparingDouble(each -> each.millis().value()))
            .toList();
    if (timed.size() < 2) {
      return Optional.empty();
    }
    Timed best = timed.get(0);
    Timed worst = timed.get(timed.size() - 1);
    if (best.millis().hasInterval() && best.millis().high() >= worst.millis().low()) {
      return Optional.of(
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.INFO,
              "The query '%s' took %s to %s ms (p50) with the treatments; their intervals overlap, so none is called the fastest."
                  .formatted(
                      query,
                      Numbers.shorten(best.millis().value()),
                      Numbers.shorten(worst.millis().value())),
              Map.of(best.label(), best.millis(), worst.label(), worst.millis()),
              "More blocks or a quieter machine."));
    }
    return Optional.of(
        new Finding(
            Finding.Kind.ESTIMATE,
            Finding.Severity.INFO,
            "The query '%s' took least with %s (p50 %s ms), most with %s (%s ms, %s times)."
                .formatted(
                    query,
                    best.label(),
                    Numbers.estimate(best.millis()),
                    worst.label(),
                    Numbers.estimate(worst.millis()),
                    Numbers.shorten(worst.millis().value() / best.millis().value())),
            Map.of(best.label(), best.millis(), worst.label(), worst.millis()),
            "More blocks, more records, other parameters or other machines."));
  }
}
