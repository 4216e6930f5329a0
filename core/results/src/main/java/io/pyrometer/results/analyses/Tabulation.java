package io.pyrometer.results.analyses;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Metrics of the treatments of a run in tables, and the comparisons of treatments by some of them.
 * An analysis declares the columns and the metrics to compare; every difference gets its interval
 * and verdict from {@link MetricComparison}, and only a verdict names a best treatment.
 *
 * <pre>{@code
 * Tabulation all = new Tabulation("load", run, rows);
 * all.show(all.table().estimate("CPU [µs]", row -> …));
 * all.compare("CPU time per record", Metric.CPU, "µs");
 * return all.result();
 * }</pre>
 */
final class Tabulation {
  private final String key;
  private final RunRecord run;
  private final List<TreatmentRow> rows;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<MetricComparison> comparisons = new ArrayList<>();

  /**
   * Begins with the rows.
   *
   * @param key of its texts
   * @throws RunAnalysis.NoResult with the id {@code KEY.no-trial} where there are no rows
   */
  Tabulation(String key, RunRecord run, List<TreatmentRow> rows) {
    this.key = key;
    this.run = run;
    this.rows = RunAnalysis.require(key + ".no-trial", TreatmentRow.inOrder(run, rows));
  }

  List<TreatmentRow> rows() {
    return rows;
  }

  /** Adds a finding of the analysis' own, which stands before those of the comparisons. */
  void add(Finding finding) {
    findings.add(finding);
  }

  /** Adds a warning that names the treatments of which the condition holds, if there are any. */
  void warn(String id, Predicate<TreatmentRow> which) {
    warn(id, rows.stream().filter(which).map(TreatmentRow::label));
  }

  /** Warns of treatments of which a trial failed its verification: {@code KEY.wrong}. */
  void warnOfWrongContents() {
    warn(
        key + ".wrong",
        run.counting(trial -> trial.outcome() == Outcome.WRONG).stream()
            .map(TrialRecord::label)
            .distinct());
  }

  private void warn(String id, Stream<String> treatments) {
    Finding.warning(id).naming("treatments", treatments.toList()).ifPresent(this::add);
  }

  MetricTable<TreatmentRow> table() {
    return Texts.<TreatmentRow>table(key).text("treatment", TreatmentRow::label);
  }

  void show(MetricTable<TreatmentRow> table) {
    show(Texts.of("one-row-per-treatment"), table);
  }

  void show(String caption, MetricTable<TreatmentRow> table) {
    figures.add(table.figure(caption, rows));
  }

  /** Compares the treatments by a metric of which less is better. */
  void compare(String what, String metric, String unit) {
    compare(
        what,
        new NamedMetric(metric, unit, Direction.LOWER),
        trial -> trial.value(metric),
        row -> true);
  }

  /** Compares those treatments of which the condition holds, by a value of each trial. */
  void compare(
      String what,
      NamedMetric metric,
      Function<TrialRecord, Optional<Double>> value,
      Predicate<TreatmentRow> which) {
    comparisons.add(
        MetricComparison.of(
            run,
            what,
            metric,
            rows.stream().filter(which).toList(),
            row -> row.geometricMean(value).map(mean -> mean.times(1, metric.unit())),
            row -> row.replicates(value),
            1));
  }

  /**
   * Compares treatments by a percentile of an operation's latency.
   *
   * @param family by how many operations they are compared
   */
  void compareLatency(
      String what,
      String operation,
      LatencyStatistic statistic,
      Predicate<TreatmentRow> which,
      int family) {
    String metric = Metric.latency(operation, statistic);
    comparisons.add(
        MetricComparison.of(
            run,
            what,
            new NamedMetric(metric, "µs", Direction.LOWER),
            rows.stream().filter(which).toList(),
            row -> row.millis(operation, statistic),
            row -> row.replicates(trial -> trial.value(metric)),
            family));
  }

  /** All of it in one section; the differences stand in a table after the others. */
  StudyResult result() {
    comparisons.forEach(each -> each.finding().ifPresent(findings::add));
    MetricComparison.figure(comparisons).ifPresent(figures::add);
    return StudyResult.of(findings, Texts.section(key, Texts.of(key + ".lead"), figures));
  }
}
