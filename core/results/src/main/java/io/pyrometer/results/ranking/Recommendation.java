package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which treatment of a ranking is recommended: the best of those that claim at least what the
 * baseline does, keep it under every probe and, in an open loop, held the rate.
 */
public final class Recommendation {
  /** What is worse for a treatment comes later. */
  private static final Comparator<Verdict> WORST_LAST =
      Comparator.comparingInt(
          List.of(
                  Verdict.BETTER,
                  Verdict.NO_RELEVANT_DIFFERENCE,
                  Verdict.NOT_ENOUGH_RUNS,
                  Verdict.WORSE)
              ::indexOf);

  private final Ranking ranking;
  private final Optional<Ranking.Row> best;
  private final List<RankingModel> models;
  private final Map<String, Verdict> verdicts;

  private Recommendation(Ranking ranking, RunIntervals intervals) {
    this.ranking = ranking;
    this.best = findBest();
    this.models = models(intervals);
    this.verdicts = best.map(this::compare).orElse(Map.of());
  }

  /** That of a run's ranking. */
  public static Recommendation of(RunRecord run, Ranking ranking) {
    return new Recommendation(ranking, RunIntervals.of(run));
  }

  Ranking ranking() {
    return ranking;
  }

  /** Empty where no treatment can be recommended. */
  Optional<Ranking.Row> best() {
    return best;
  }

  private Optional<Ranking.Row> findBest() {
    Optional<Guarantee> wanted =
        ranking.rows().stream()
            .filter(Ranking.Row::isBaseline)
            .findFirst()
            .flatMap(Ranking.Row::claimed);
    return ranking.rows().stream()
        .filter(row -> keeps(row, wanted))
        .filter(row -> !ranking.openLoop() || (row.heldRate() && row.worstP99().isPresent()))
        .findFirst();
  }

  /** Whether no probe refuted a claim of a treatment, and it has these guarantees. */
  static boolean keeps(Ranking.Row row, Optional<Guarantee> wanted) {
    if (!row.refuted().isEmpty()) {
      return false;
    }
    if (wanted.isEmpty() || row.guarantee().isEmpty()) {
      return true;
    }
    Guarantee has = row.guarantee().get();
    Guarantee wants = wanted.get();
    return (has.overwrites() || !wants.overwrites())
        && (has.ordered() || !wants.ordered())
        && (has.durable() || !wants.durable());
  }

  /** By what ranks: throughput, or p99 of each operation of the best where a rate is offered. */
  private List<RankingModel> models(RunIntervals intervals) {
    if (!ranking.openLoop()) {
      Map<String, Treatment> values = new LinkedHashMap<>();
      ranking.rows().forEach(row -> values.put(row.label(), row.replicates()));
      return List.of(new RankingModel(Rankings.THROUGHPUT, values, intervals));
    }
    Map<String, List<OperationLatency>> byLabel = new LinkedHashMap<>();
    ranking.rows().forEach(row -> byLabel.put(row.label(), row.latencies()));
    List<OperationLatency> operations = best.map(Ranking.Row::latencies).orElse(List.of());
    return operations.stream()
        .map(operation -> Rankings.p99Model(operation, operations, byLabel, intervals))
        .toList();
  }

  List<RankingModel> models() {
    return models;
  }

  /** The worst of all models on each treatment below the best that promises as much. */
  private Map<String, Verdict> compare(Ranking.Row with) {
    List<String> others =
        ranking.rows().stream()
            .skip(ranking.rows().indexOf(with) + 1L)
            .filter(row -> keeps(row, with.guarantee()) && row.heldRate())
            .map(Ranking.Row::label)
            .toList();
    Map<String, Verdict> worst = new LinkedHashMap<>();
    others.forEach(other -> worst.put(other, Verdict.BETTER));
    for (RankingModel model : models) {
      Map<String, Verdict> found = model.verdicts(with.label(), others, models.size());
      worst.keySet().retainAll(found.keySet());
      found.forEach(
          (other, verdict) ->
              worst.computeIfPresent(
                  other, (label, so) -> WORST_LAST.compare(so, verdict) > 0 ? so : verdict));
    }
    return worst;
  }

  /** Labels of the treatments below the best that are not significantly worse. */
  public List<String> similar() {
    List<String> similar = new ArrayList<>(verdicts.keySet());
    similar.removeIf(other -> verdicts.get(other) == Verdict.WORSE);
    return similar;
  }

  /** Whether there are other treatments, and of none is it known how it compares with the best. */
  boolean isOpen() {
    return !verdicts.isEmpty()
        && verdicts.values().stream().allMatch(verdict -> verdict == Verdict.NOT_ENOUGH_RUNS);
  }

  /** About how many blocks a first verdict takes; infinite where no number is known. */
  double blocksForVerdict() {
    String label = best.map(Ranking.Row::label).orElse("");
    return verdicts.keySet().stream()
        .mapToDouble(
            other ->
                models.stream().mapToDouble(m -> m.blocksForVerdict(label, other)).max().orElse(0))
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
