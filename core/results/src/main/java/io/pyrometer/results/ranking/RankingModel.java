package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Dependence;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.ProcessStarts;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The treatments of one ranking by one metric, in one {@link BlockModel}: they share their noise
 * where their spreads allow it, and a missing trial takes nothing from the others.
 */
public final class RankingModel {
  private final NamedMetric metric;
  private final Map<String, Treatment> values;
  private final Optional<BlockModel> model;

  /** Model of the treatments that are not excluded; of all where none is. */
  private final Optional<BlockModel> admitted;

  private final Set<String> excluded;

  /**
   * Models the treatments.
   *
   * @param values the metric by block of each treatment, by its label; those without any are left
   *     out
   * @param starts which trials share a start of processes, and with it a part of their error
   * @param excluded the labels of those that are not to be recommended: their noise, which may be
   *     what they are excluded for, does not count for the others
   */
  RankingModel(
      NamedMetric metric,
      Map<String, Treatment> values,
      ProcessStarts starts,
      Set<String> excluded) {
    this.metric = metric;
    this.values = values;
    this.excluded = excluded;
    List<Measurement> rows = new ArrayList<>();
    values.forEach(
        (label, treatment) ->
            treatment
                .replicates()
                .forEach(
                    (block, value) -> {
                      String start = starts.of(treatment.levels());
                      rows.add(new Measurement(label, block, start, value));
                    }));
    this.model = model(rows);
    List<Measurement> others =
        rows.stream().filter(row -> !excluded.contains(row.treatment())).toList();
    this.admitted = others.size() == rows.size() ? model : model(others);
  }

  private static Optional<BlockModel> model(List<Measurement> rows) {
    return rows.isEmpty() ? Optional.empty() : Optional.of(BlockModel.of(rows));
  }

  private BlockModel model(Collection<String> of) {
    return (Collections.disjoint(of, excluded) ? admitted : model).orElseThrow();
  }

  /** Variant for any metric of a run. */
  public static RankingModel of(RunRecord run, NamedMetric metric, Map<String, Treatment> values) {
    return new RankingModel(metric, values, ProcessStarts.of(run.counting()), Set.of());
  }

  /**
   * Candidate over baseline. Where every treatment has one value only, the ratio within the block
   * that both share, without an interval; empty where there is none.
   */
  Optional<Estimate> ratio(String baseline, String candidate) {
    if (!has(baseline) || !has(candidate)) {
      return Optional.empty();
    }
    return model(List.of(baseline, candidate))
        .ratio(baseline, candidate)
        .or(() -> seenOnce(baseline, candidate));
  }

  private Optional<Estimate> seenOnce(String baseline, String candidate) {
    return Arrays.stream(RunRecord.ratios(of(baseline), of(candidate)))
        .mapToObj(ratio -> Estimate.unreplicated(ratio, ""))
        .findFirst();
  }

  private boolean has(String label) {
    return !of(label).replicates().isEmpty();
  }

  private Treatment of(String label) {
    return values.getOrDefault(label, new Treatment(Map.of(), Map.of()));
  }

  /** The verdict on each of the others, without those that the data hold no noise to judge by. */
  Map<String, Verdict> verdicts(String best, List<String> others, int metrics) {
    Map<String, Verdict> verdicts = new LinkedHashMap<>();
    against(best, others, metrics).stream()
        .filter(row -> row.ratio().isPresent())
        .forEach(row -> verdicts.put(row.pair().candidate(), row.verdict()));
    return verdicts;
  }

  /**
   * The best against each of the others that has values. The best was chosen for its figures, so
   * all pairs of the model are one family.
   *
   * @param metrics by how many metrics treatments are compared
   */
  public List<TreatmentComparisons.Row> against(String best, List<String> others, int metrics) {
    if (!has(best)) {
      return List.of();
    }
    List<Pair> pairs =
        others.stream().filter(this::has).map(other -> new Pair(best, other)).toList();
    long measured = values.keySet().stream().filter(this::has).count();
    long family = metrics * measured * (measured - 1) / 2;
    ComparisonRule rule = new ComparisonRule(metric.better(), metric.defaultDelta());
    List<String> compared =
        Stream.concat(Stream.of(best), pairs.stream().map(Pair::candidate)).toList();
    return TreatmentComparisons.of(model(compared), pairs, rule, family);
  }

  /**
   * About how many blocks a verdict on two treatments takes: as many as narrow the interval of
   * their ratio until it no longer reaches over the smallest relevant difference, if the ratio
   * stays as it is. Infinite where it lies on that difference.
   */
  double blocksForVerdict(String baseline, String candidate) {
    return ratio(baseline, candidate)
        .filter(Estimate::hasInterval)
        .map(
            ratio -> {
              double half = Math.log(ratio.high() / ratio.low()) / 2;
              double room = Math.abs(Math.log(ratio.value())) - Math.log1p(metric.defaultDelta());
              return of(baseline).replicates().size() * Math.pow(half / room, 2);
            })
        .orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Returns whether successive blocks depend on each other, so that intervals may be too narrow.
   */
  boolean hasDependentBlocks() {
    return admitted.flatMap(BlockModel::dependence).filter(Dependence::isSignificant).isPresent();
  }
}
