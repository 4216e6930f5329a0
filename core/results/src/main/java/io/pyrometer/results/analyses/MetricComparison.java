package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Promises;
import io.pyrometer.results.ranking.RankingModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Compares the treatments of a table by one metric: the best by its estimate with each of the
 * others, in the model and with the rule of the ranking. The best was chosen for its figures, so
 * all pairs of the table are one family.
 *
 * @param estimates what is printed of each treatment, the best first
 * @param differences each of the others against the best
 */
public record MetricComparison(
    String what,
    NamedMetric metric,
    Map<String, Estimate> estimates,
    List<TreatmentComparisons.Row> differences) {
  /**
   * Compares.
   *
   * @param what the metric in sentences, as {@code p99 of the delay}
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
    Promises promises = new Promises(run);
    boolean choice = rows.stream().anyMatch(row -> !promises.isExcluded(row.trial()));
    rows.stream()
        .filter(row -> !choice || !promises.isExcluded(row.trial()))
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
        metric,
        estimates,
        labels.size() < 2
            ? List.of()
            : RankingModel.of(run, metric, values)
                .against(labels.get(0), labels.subList(1, labels.size()), metrics));
  }

  /** The verdicts in one sentence; empty with fewer than two treatments. */
  public Optional<Finding> finding(String wouldChange) {
    if (estimates.size() < 2) {
      return Optional.empty();
    }
    List<String> labels = List.copyOf(estimates.keySet());
    String best = labels.get(0);
    String last = labels.get(labels.size() - 1);
    Estimate lowest = estimates.getOrDefault(best, Estimate.unreplicated(0, ""));
    Estimate highest = estimates.getOrDefault(last, lowest);
    List<String> worse = new ArrayList<>();
    List<String> similar = new ArrayList<>();
    for (TreatmentComparisons.Row row : differences) {
      boolean significant = row.verdict() == Verdict.WORSE;
      (significant ? worse : similar)
          .add(row.pair().candidate() + (significant ? times(row.ratio()) : ""));
    }
    boolean judged = differences.stream().anyMatch(row -> row.ratio().isPresent());
    String sentence =
        worse.isEmpty()
            ? "%s is %s with %s to %s with %s; %s."
                .formatted(
                    Phrases.capital(what),
                    withUnit(lowest.value(), lowest),
                    best,
                    withUnit(highest.value(), lowest),
                    last,
                    judged
                        ? "none of %d treatments is significantly different from the best"
                            .formatted(labels.size())
                        : "too few blocks for a verdict")
            : "%s is %s with %s: %s%s; significantly worse: %s."
                .formatted(
                    Phrases.capital(what),
                    metric.better() == Direction.LOWER ? "lowest" : "highest",
                    best,
                    Numbers.estimateWithUnit(lowest),
                    similar.isEmpty()
                        ? ""
                        : ", not significantly different from " + Phrases.andOthers(similar),
                    Phrases.andOthers(worse));
    return Optional.of(
        Finding.info(
            judged ? Finding.Kind.COMPARISON : Finding.Kind.NOT_ENOUGH_RUNS,
            sentence,
            Finding.estimates(best, lowest, last, highest),
            wouldChange));
  }

  private static String withUnit(double value, Estimate like) {
    return Numbers.estimateWithUnit(Estimate.unreplicated(value, like.unit()));
  }

  private static String times(Optional<Estimate> ratio) {
    return ratio
        .map(
            r ->
                " (%s times, %s)"
                    .formatted(Numbers.shorten(r.value()), r.interval(Numbers::shorten)))
        .orElse("");
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
            new MetricTable<Difference>("one block, or none that both treatments share")
                .text("metric", Difference::what)
                .text("treatment", each -> each.row().pair().candidate())
                .text("against the best", each -> each.row().pair().baseline())
                .formatted(
                    "ratio [95 %]",
                    each -> each.row().ratio().map(Numbers::ratio).orElse(Table.ABSENT))
                .text("verdict", each -> words(each.row().verdict()))
                .figure("Differences", all));
  }

  private static String words(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
