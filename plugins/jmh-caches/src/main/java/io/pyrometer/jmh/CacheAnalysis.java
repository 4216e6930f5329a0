package io.pyrometer.jmh;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.Analysis;
import io.pyrometer.results.analyses.MetricComparison;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.analyses.TreatmentRow;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Benchmarks of caches beyond speed: the memory of an entry, the hit ratio of a bounded cache, and
 * the allocation of a call.
 */
public final class CacheAnalysis implements Analysis {
  private static final String HEAP = "heap-per-entry";
  private static final String OFF_HEAP = "off-heap-per-entry";

  /** On and off the heap together; not a metric of a trial, but the sum of two. */
  private static final String MEMORY = "memory-per-entry";

  private static final List<Table> TABLES =
      List.of(
          new Table(
              "memory",
              "Memory of an entry",
              Messages.format("jmh.memory-note"),
              new NamedMetric(MEMORY, "B", Direction.LOWER),
              "the memory of an entry",
              columns("together, B", MEMORY, "heap, B", HEAP, "off-heap, B", OFF_HEAP)),
          new Table(
              "hits",
              Messages.format("jmh.hit-ratios-caption"),
              Messages.format("jmh.hit-ratios-note"),
              new NamedMetric("hit-rate", "%", Direction.HIGHER),
              "",
              columns("hits, %", "hit-rate")),
          new Table(
              "allocation",
              "Allocation",
              Messages.format("jmh.allocation-note"),
              new NamedMetric(Metric.ALLOCATED, "B", Direction.LOWER),
              "",
              columns("B/record", Metric.ALLOCATED)));

  /**
   * A table of each benchmark that has its first metric.
   *
   * @param by the metric that rows are sorted by
   * @param compared that metric in sentences; empty where treatments are not compared by it
   * @param columns metrics by title
   */
  private record Table(
      String id,
      String title,
      String lead,
      NamedMetric by,
      String compared,
      Map<String, String> columns) {}

  private static Map<String, String> columns(String... titlesAndMetrics) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (int i = 0; i < titlesAndMetrics.length; i += 2) {
      columns.put(titlesAndMetrics[i], titlesAndMetrics[i + 1]);
    }
    return columns;
  }

  @Override
  public String id() {
    return "benchmarks";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    List<TrialRecord> valid =
        run.counting().stream()
            .filter(trial -> trial.job() == Benchmark.JOB && trial.outcome() == Outcome.OK)
            .toList();
    return valid.isEmpty()
        ? List.of()
        : List.of(RunAnalysis.whole(id(), "benchmarks", "", () -> analyze(run, valid)));
  }

  private static StudyResult analyze(RunRecord run, List<TrialRecord> valid) {
    List<String> cases = run.plan().experiment().levels().getOrDefault(Treatments.CASE, List.of());
    Set<String> benchmarks = new LinkedHashSet<>();
    valid.stream()
        .map(KindReport::partOf)
        .sorted(Comparator.comparingInt(cases::indexOf))
        .forEach(benchmarks::add);
    List<Finding> findings = new ArrayList<>();
    List<Section> sections = new ArrayList<>();
    for (Table table : TABLES) {
      List<Figure> figures = new ArrayList<>();
      List<MetricComparison> comparisons = new ArrayList<>();
      for (String benchmark : benchmarks) {
        List<TreatmentRow> rows = rows(table, benchmark, valid);
        if (!rows.isEmpty()) {
          figures.add(columns(table).figure(benchmark, rows));
        }
        if (!table.compared().isEmpty()) {
          comparisons.add(
              MetricComparison.of(
                  run,
                  benchmark + ": " + table.compared(),
                  table.by(),
                  rows,
                  row -> estimate(row, table.by().name()).map(e -> e.times(1, table.by().unit())),
                  row -> row.replicates(trial -> value(trial, table.by().name())),
                  1));
        }
      }
      comparisons.forEach(each -> each.finding().ifPresent(findings::add));
      MetricComparison.figure(comparisons).ifPresent(figures::add);
      if (!figures.isEmpty()) {
        sections.add(new Section(table.id(), table.title(), table.lead(), figures));
      }
    }
    return new StudyResult("", findings, sections);
  }

  /** Best first, without those that lack the metric. */
  private static List<TreatmentRow> rows(Table table, String benchmark, List<TrialRecord> valid) {
    Comparator<TreatmentRow> ascending =
        Comparator.comparingDouble(
            row -> estimate(row, table.by().name()).map(Estimate::value).orElse(0.0));
    return TreatmentRow.of(
            valid.stream().filter(t -> KindReport.partOf(t).equals(benchmark)).toList(),
            KindReport::labelOf,
            List.of())
        .stream()
        .filter(row -> estimate(row, table.by().name()).isPresent())
        .sorted(table.by().better() == Direction.LOWER ? ascending : ascending.reversed())
        .toList();
  }

  private static MetricTable<TreatmentRow> columns(Table table) {
    MetricTable<TreatmentRow> columns =
        new MetricTable<TreatmentRow>("the cache reports none").text("cache", TreatmentRow::label);
    table
        .columns()
        .forEach((title, metric) -> columns.estimate(title, row -> estimate(row, metric)));
    return columns;
  }

  private static Optional<Estimate> estimate(TreatmentRow row, String metric) {
    return row.mean(trial -> value(trial, metric));
  }

  private static Optional<Double> value(TrialRecord trial, String metric) {
    return metric.equals(MEMORY)
        ? trial.value(HEAP).map(heap -> heap + trial.value(OFF_HEAP).orElse(0.0))
        : trial.value(metric);
  }
}
