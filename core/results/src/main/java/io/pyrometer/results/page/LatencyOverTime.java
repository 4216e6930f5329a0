package io.pyrometer.results.page;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Latencies.Interval;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.HeatMapChart;
import io.pyrometer.report.chart.HeatMapChart.HeatMap;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialEvents;
import io.pyrometer.results.ranking.Ranking;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Latency over time of the few trials that a reader looks for: of each job the trial with the
 * highest p99 of the treatment ranked first. Only their histograms are read, since those of all
 * trials would take longer than the rest of the report.
 */
final class LatencyOverTime {
  /** Fewer show nothing over time. */
  static final int LEAST_INTERVALS = 3;

  /** Neighbouring intervals of longer trials are added up. */
  static final int MOST_COLUMNS = 60;

  /** Cells of one decade of latency. */
  private static final int CELLS_PER_DECADE = 10;

  private LatencyOverTime() {}

  /** Empty where the run's jobs record none. */
  static Optional<Section> of(RunRecord run, List<Ranking> rankings) {
    List<Ranking> recorded =
        rankings.stream().filter(each -> KindReport.recordsLatencyOverTime(each.job())).toList();
    if (recorded.isEmpty()) {
      return Optional.empty();
    }
    List<Figure> figures = new ArrayList<>();
    for (TrialRecord trial : slowest(run, recorded)) {
      latencies(run, trial)
          .ifPresent(
              found -> figures.addAll(figures(trial, found, marks(TrialEvents.of(run, trial)))));
    }
    return Optional.of(
        Texts.section(
            "latency-over-time",
            Texts.of(
                figures.isEmpty() ? "latency-over-time.not-drawn" : "latency-over-time.lead",
                LEAST_INTERVALS),
            figures));
  }

  /** A map without cells. */
  static HeatMap marks(List<TrialEvents.Lane> lanes) {
    return new HeatMap(
        List.of(),
        lanes.stream().map(TrialEvents.Lane::name).toList(),
        lanes.stream()
            .flatMap(
                lane ->
                    lane.events().stream()
                        .map(
                            event ->
                                new HeatMap.Mark(
                                    lane.name(), event.begin(), event.end(), event.what())))
            .toList());
  }

  private static List<Figure> figures(TrialRecord trial, Latencies latencies, HeatMap marks) {
    TreeSet<String> operations = new TreeSet<>();
    latencies.intervals().forEach(interval -> operations.addAll(interval.byOperation().keySet()));
    List<Figure> figures = new ArrayList<>();
    for (String operation : operations) {
      figures.add(
          HeatMapChart.of(
              Texts.of("latency-over-time.map", operation, trial.id(), trial.label()),
              new HeatMap(cells(latencies.intervals(), operation), marks.lanes(), marks.marks())));
    }
    return figures;
  }

  private static Optional<Latencies> latencies(RunRecord run, TrialRecord trial) {
    Path log = run.folder().histogram(trial.id(), trial.attempt());
    return Optional.of(log)
        .filter(Files::exists)
        .map(Latencies::read)
        .filter(latencies -> latencies.intervals().size() >= LEAST_INTERVALS);
  }

  /** Trials with the highest p99 of the treatment ranked first, one for each ranking. */
  private static List<TrialRecord> slowest(RunRecord run, List<Ranking> rankings) {
    return rankings.stream()
        .flatMap(
            ranking ->
                ranking.rows().stream()
                    .limit(1)
                    .flatMap(best -> trials(run, ranking, best))
                    .max(Comparator.comparingDouble(LatencyOverTime::p99))
                    .stream())
        .toList();
  }

  private static Stream<TrialRecord> trials(RunRecord run, Ranking ranking, Ranking.Row row) {
    return run.counting().stream()
        .filter(trial -> trial.outcome() == Outcome.OK && trial.job() == ranking.job())
        .filter(trial -> trial.levels().equals(row.replicates().levels()));
  }

  /** The p99 of its slowest operation, in microseconds. */
  private static double p99(TrialRecord trial) {
    return RateSearch.worst(trial, LatencyStatistic.P99).orElse(0.0);
  }

  /** The calls of one operation by time and latency; their sum is that of the histograms. */
  static List<HeatMap.Cell> cells(List<Interval> intervals, String operation) {
    int together = (intervals.size() + MOST_COLUMNS - 1) / MOST_COLUMNS;
    List<HeatMap.Cell> cells = new ArrayList<>();
    for (int first = 0; first < intervals.size(); first += together) {
      List<Interval> column =
          intervals.subList(first, Math.min(first + together, intervals.size()));
      Map<Integer, Long> calls = new TreeMap<>();
      for (Interval interval : column) {
        Optional.ofNullable(interval.byOperation().get(operation))
            .ifPresent(counts -> count(counts, calls));
      }
      long all = calls.values().stream().mapToLong(n -> n).sum();
      double from = column.get(0).fromSeconds();
      double to = column.get(column.size() - 1).toSeconds();
      calls.forEach(
          (cell, count) ->
              cells.add(
                  new HeatMap.Cell(
                      from, to, micros(cell), micros(cell + 1), count, (double) count / all)));
    }
    return cells;
  }

  private static void count(LatencyCounts counts, Map<Integer, Long> calls) {
    counts
        .counts()
        .forEach(
            (upTo, count) -> {
              double nanos = Math.max(1, HistogramText.middle(upTo));
              int cell = (int) Math.floor(CELLS_PER_DECADE * Math.log10(nanos / 1e3));
              calls.merge(cell, count, Long::sum);
            });
  }

  private static double micros(int cell) {
    return Math.pow(10, (double) cell / CELLS_PER_DECADE);
  }
}
