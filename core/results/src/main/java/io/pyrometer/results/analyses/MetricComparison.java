package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.ranking.RankingModel;
import io.pyrometer.results.ranking.TreatmentProbes;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Compares the treatments of a table by one metric: the best by its estimate with each of the
 * others, in the model and with the rule of the ranking. The best was chosen for its figures, so
 * all pairs of the table are one family.
 *
 * @param what the metric as a noun, such as {@code p99 of the delay}
 * @param estimates what is printed of each treatment, the best first
 * @param differences each of the others against the best
 */
public record MetricComparison(
    String what, Map<String, Estimate> estimates, List<TreatmentComparisons.Row> differences) {
  /**
   * Compares.
   *
   * @param rows those without an estimate, without replicates, or that are excluded from
   *     recommendation are left out
   * @param estimate what is printed of a row
   * @param replicates what is compared: a value above 0 for each block
   * @param metrics by how many metrics the table compares
   */
  public static MetricComparison of(
      RunRecord run,
      String what,
      NamedMetric metric,
      List<TreatmentRow> rows,
      Function<TreatmentRow, Optional<Estimate>> estimate,
      Function<TreatmentRow, Treatment> replicates,
      int metrics) {
    Comparator<TreatmentRow> ascending =
        Comparator.comparingDouble(row -> estimate.apply(row).map(Estimate::value).orElse(0.0));
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    Map<String, Treatment> values = new LinkedHashMap<>();
    boolean choice = rows.stream().anyMatch(row -> !TreatmentProbes.isExcluded(run, row.trial()));
    rows.stream()
        .filter(row -> !choice || !TreatmentProbes.isExcluded(run, row.trial()))
        .filter(row -> estimate.apply(row).isPresent())
        .filter(row -> !replicates.apply(row).replicates().isEmpty())
        .sorted(metric.better() == Direction.LOWER ? ascending : ascending.reversed())
        .forEach(
            row -> {
              estimates.put(row.label(), estimate.apply(row).orElseThrow());
              values.put(row.label(), replicates.apply(row));
            });
    List<String> labels = List.copyOf(values.keySet());
    return new MetricComparison(
        what,
        estimates,
        labels.size() < 2
            ? List.of()
            : RankingModel.of(run, metric, values)
                .against(labels.get(0), labels.subList(1, labels.size()), metrics));
  }

  /** The verdict; empty with fewer than two treatments. */
  public Optional<Finding> finding() {
    List<String> labels = List.copyOf(estimates.keySet());
    if (labels.size() < 2) {
      return Optional.empty();
    }
    long worse = differences.stream().filter(row -> row.verdict() == Verdict.WORSE).count();
    boolean judged = differences.stream().anyMatch(row -> row.verdict() != Verdict.NOT_ENOUGH_RUNS);
    String id = !judged ? "too-few-blocks" : worse == 0 ? "alike" : "best";
    String best = labels.get(0);
    String last = labels.get(labels.size() - 1);
    List<Estimate> all = List.copyOf(estimates.values());
    return Optional.of(
        Finding.info("metric." + id)
            .with("metric", what)
            .with("treatments", labels.size())
            .with("worse", worse)
            .with("best", best)
            .with("last", last)
            .with("figure", all.get(0))
            .with("figure of the last", all.get(all.size() - 1)));
  }

  /** Every difference with its interval and verdict; empty where nothing is compared. */
  public static Optional<Figure> figure(List<MetricComparison> comparisons) {
    record Difference(String what, TreatmentComparisons.Row row) {}
    List<Difference> all =
        comparisons.stream()
            .flatMap(each -> each.differences.stream().map(row -> new Difference(each.what, row)))
            .toList();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Texts.<Difference>table("metric.differences")
                .text("metric", Difference::what)
                .text("treatment", each -> each.row().pair().candidate())
                .text("against the best", each -> each.row().pair().baseline())
                .formatted(
                    "ratio [95 %]",
                    each -> each.row().ratio().map(Numbers::ratio).orElse(Table.ABSENT))
                .text("verdict", each -> Phrases.word(each.row().verdict()))
                .figure("Differences", all));
  }
}
