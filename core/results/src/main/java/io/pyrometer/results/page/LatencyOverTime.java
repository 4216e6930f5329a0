package io.pyrometer.results.page;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Latencies.Interval;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.HeatMapChart;
import io.pyrometer.report.chart.HeatMapChart.Cell;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialEvents;
import io.pyrometer.results.ranking.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

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
        rankings.stream()
            .filter(
                each ->
                    KindReport.of(each.job()).map(KindReport::recordsLatencyOverTime).orElse(true))
            .toList();
    if (recorded.isEmpty()) {
      return Optional.empty();
    }
    List<Figure> figures = new ArrayList<>();
    for (TrialRecord trial : slowest(run, recorded)) {
      run.latencies(trial)
          .filter(found -> found.intervals().size() >= LEAST_INTERVALS)
          .ifPresent(found -> figures.addAll(figures(trial, found, TrialEvents.of(run, trial))));
    }
    return Optional.of(
        Texts.section(
            "latency-over-time",
            Texts.of(
                figures.isEmpty() ? "latency-over-time.not-drawn" : "latency-over-time.lead",
                LEAST_INTERVALS),
            figures));
  }

  private static List<Figure> figures(
      TrialRecord trial, Latencies latencies, List<TrialEvents.Lane> lanes) {
    TreeSet<String> operations = new TreeSet<>();
    latencies.intervals().forEach(interval -> operations.addAll(interval.byOperation().keySet()));
    List<Chart.Mark> marks = new ArrayList<>();
    for (TrialEvents.Lane lane : lanes) {
      lane.events()
          .forEach(e -> marks.add(new Chart.Mark(lane.name(), e.begin(), e.end(), e.what())));
    }
    return operations.stream()
        .map(
            operation ->
                HeatMapChart.of(
                    Texts.of("latency-over-time.map", operation, trial.id(), trial.label()),
                    cells(latencies.intervals(), operation),
                    lanes.stream().map(TrialEvents.Lane::name).toList(),
                    marks))
        .toList();
  }

  /** Trials with the highest p99 of the treatment ranked first, one for each ranking. */
  private static List<TrialRecord> slowest(RunRecord run, List<Ranking> rankings) {
    return rankings.stream()
        .flatMap(ranking -> ranking.rows().stream().limit(1))
        .flatMap(
            best ->
                run.valid(best.levels()).stream()
                    .max(Comparator.comparingDouble(LatencyOverTime::p99))
                    .stream())
        .toList();
  }

  /** The p99 of its slowest operation, in microseconds. */
  private static double p99(TrialRecord trial) {
    return RateSearch.worst(trial, LatencyStatistic.P99).orElse(0.0);
  }

  /** The calls of one operation by time and latency; their sum is that of the histograms. */
  static List<Cell> cells(List<Interval> intervals, String operation) {
    int together = (intervals.size() + MOST_COLUMNS - 1) / MOST_COLUMNS;
    List<Cell> cells = new ArrayList<>();
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
                  new Cell(from, to, micros(cell), micros(cell + 1), count, (double) count / all)));
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
