package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which treatment of a ranking is recommended: the best of those that have the guarantees which the
 * experiment requires, or else those of the baseline, that no probe refuted, that have a valid
 * trial in every block (where some treatment has) and that, in an open loop, held the rate. In a
 * closed loop the best is the one with the least CPU time for a record of those that may be the
 * fastest: where throughput does not decide, CPU time does, which varies less on a shared machine.
 *
 * @param rows the treatments under its condition, the fastest first, recommended or not
 * @param required by the experiment; empty where it requires nothing
 * @param best empty where no treatment can be recommended
 * @param costlier treatments that may be as fast as the best and used more CPU time for a record
 * @param models of the throughput of all treatments of the ranking, or of the p99 of each operation
 * @param verdicts on each other treatment that promises as much
 */
public record Recommendation(
    Ranking ranking,
    List<Ranking.Row> rows,
    Set<Requirement> required,
    Optional<Ranking.Row> best,
    List<String> costlier,
    List<RankingModel> models,
    Map<String, Verdict> verdicts) {
  /** Throughputs of one block within this ratio may have either order in the next. */
  private static final double ALIKE = 1.5;

  /** What is worse for a treatment comes later. */
  private static final Comparator<Verdict> WORST_LAST =
      Comparator.comparingInt(
          List.of(
                  Verdict.BETTER,
                  Verdict.NO_RELEVANT_DIFFERENCE,
                  Verdict.NOT_ENOUGH_RUNS,
                  Verdict.WORSE)
              ::indexOf);

  /**
   * Guarantees that a recommended treatment must share with the baseline. A batch need not be
   * atomic, and settings may have other copies.
   */
  private static final Set<Requirement> REPLACED_BY_LIKE =
      EnumSet.of(Requirement.OVERWRITES, Requirement.ORDERED, Requirement.DURABLE);

  /** That of all treatments of a run's ranking, whatever their conditions. */
  public static Recommendation of(RunRecord run, Ranking ranking) {
    return of(run, ranking, List.of(ranking.rows())).get(0);
  }

  /** One for each condition of a run's ranking; at least one. */
  static List<Recommendation> byCondition(RunRecord run, Ranking ranking) {
    return ranking.conditions().size() < 2
        ? List.of(of(run, ranking))
        : of(
            run,
            ranking,
            ranking.conditions().stream()
                .map(
                    each ->
                        ranking.rows().stream().filter(r -> r.condition().equals(each)).toList())
                .toList());
  }

  private static List<Recommendation> of(
      RunRecord run, Ranking ranking, List<List<Ranking.Row>> conditions) {
    RunIntervals intervals = RunIntervals.of(run);
    Map<String, Treatment> values = new LinkedHashMap<>();
    ranking.rows().forEach(row -> values.put(row.label(), row.replicates()));
    Set<Requirement> required = new TreeSet<>(run.plan().experiment().require());
    Set<String> excluded =
        ranking.rows().stream()
            .filter(row -> !keeps(row, required))
            .map(Ranking.Row::label)
            .collect(Collectors.toSet());
    Optional<RankingModel> throughput =
        ranking.openLoop()
            ? Optional.empty()
            : Optional.of(new RankingModel(Rankings.THROUGHPUT, values, intervals, excluded));
    Map<Map<String, String>, FailedTrials> failed = FailedTrials.of(run);
    Set<Map<String, String>> hidden = HiddenHops.levels(run);
    return conditions.stream()
        .map(
            rows -> {
              List<Ranking.Row> complete = HiddenHops.without(hidden, complete(rows, failed));
              List<Ranking.Row> candidates =
                  cheapestFirst(candidates(ranking, complete, required), throughput);
              Optional<Ranking.Row> best = candidates.stream().findFirst();
              List<RankingModel> models =
                  throughput
                      .map(List::of)
                      .orElseGet(() -> p99Models(rows, best, intervals, excluded));
              return new Recommendation(
                  ranking,
                  rows,
                  required,
                  best,
                  candidates.stream().skip(1).map(Ranking.Row::label).toList(),
                  models,
                  best.map(with -> verdicts(with, complete, required, models)).orElse(Map.of()));
            })
        .toList();
  }

  /** Those with a valid trial in every block; all where none has. */
  private static List<Ranking.Row> complete(
      List<Ranking.Row> rows, Map<Map<String, String>, FailedTrials> failed) {
    List<Ranking.Row> complete =
        rows.stream()
            .filter(
                row ->
                    Optional.ofNullable(failed.get(row.replicates().levels()))
                        .filter(f -> f.lost() > 0)
                        .isEmpty())
            .toList();
    return complete.isEmpty() ? rows : complete;
  }

  /** What may be recommended, the fastest or the lowest p99 first. */
  private static List<Ranking.Row> candidates(
      Ranking ranking, List<Ranking.Row> rows, Set<Requirement> required) {
    Set<Requirement> wanted =
        Stream.concat(rows.stream(), ranking.rows().stream())
            .filter(Ranking.Row::isBaseline)
            .findFirst()
            .flatMap(Recommendation::claims)
            .map(claims -> wanted(required, claims))
            .orElse(required);
    return rows.stream()
        .filter(row -> keeps(row, wanted))
        .filter(row -> !ranking.openLoop() || (row.heldRate() && row.worstP99().isPresent()))
        .toList();
  }

  /**
   * Those that may be the fastest, the least CPU time for a record first; only the first where that
   * is not known, or nothing is known of how they compare.
   */
  private static List<Ranking.Row> cheapestFirst(
      List<Ranking.Row> candidates, Optional<RankingModel> throughput) {
    if (candidates.isEmpty() || throughput.isEmpty()) {
      return candidates.stream().limit(1).toList();
    }
    Ranking.Row fastest = candidates.get(0);
    Map<String, Verdict> verdicts =
        throughput
            .get()
            .verdicts(
                fastest.label(), candidates.stream().skip(1).map(Ranking.Row::label).toList(), 1);
    List<Ranking.Row> alike =
        candidates.stream()
            .filter(row -> ALIKE * row.throughput().value() >= fastest.throughput().value())
            .filter(row -> verdicts.get(row.label()) != Verdict.WORSE)
            .toList();
    return isOpen(verdicts) || alike.stream().anyMatch(row -> row.cpuMicros().isEmpty())
        ? List.of(fastest)
        : alike.stream()
            .sorted(Comparator.comparingDouble(row -> row.cpuMicros().orElseThrow().value()))
            .toList();
  }

  /** What a treatment claims, even where a probe refuted it; empty for one that does not write. */
  private static Optional<Set<Requirement>> claims(Ranking.Row row) {
    return row.claimed()
        .map(path -> row.refuted().isEmpty() ? row.guarantees() : Requirement.of(path));
  }

  /** What is required, or else what a treatment with these guarantees is replaced by must have. */
  private static Set<Requirement> wanted(Set<Requirement> required, Set<Requirement> guarantees) {
    if (!required.isEmpty()) {
      return required;
    }
    Set<Requirement> wanted = new TreeSet<>(REPLACED_BY_LIKE);
    wanted.retainAll(guarantees);
    return wanted;
  }

  /** Whether no probe refuted a claim of a treatment, and it has these guarantees. */
  private static boolean keeps(Ranking.Row row, Set<Requirement> wanted) {
    return row.refuted().isEmpty() && row.lacks(wanted).isEmpty();
  }

  /** Where a rate is offered, p99 of each operation of the best ranks. */
  private static List<RankingModel> p99Models(
      List<Ranking.Row> rows,
      Optional<Ranking.Row> best,
      RunIntervals intervals,
      Set<String> excluded) {
    Map<String, List<OperationLatency>> byLabel = new LinkedHashMap<>();
    rows.forEach(row -> byLabel.put(row.label(), row.latencies()));
    List<OperationLatency> operations = best.map(Ranking.Row::latencies).orElse(List.of());
    return operations.stream()
        .map(operation -> Rankings.p99Model(operation, operations, byLabel, intervals, excluded))
        .toList();
  }

  /** The worst of all models on each other treatment that promises as much. */
  private static Map<String, Verdict> verdicts(
      Ranking.Row with,
      List<Ranking.Row> rows,
      Set<Requirement> required,
      List<RankingModel> models) {
    List<String> others =
        rows.stream()
            .filter(row -> !row.equals(with))
            .filter(row -> keeps(row, wanted(required, with.guarantees())) && row.heldRate())
            .map(Ranking.Row::label)
            .toList();
    Map<String, Verdict> worst = new LinkedHashMap<>();
    others.forEach(other -> worst.put(other, Verdict.BETTER));
    boolean judged = false;
    for (RankingModel model : models) {
      Map<String, Verdict> found = model.verdicts(with.label(), others, models.size());
      if (!found.isEmpty()) {
        judged = true;
        worst.replaceAll(
            (other, so) -> {
              Verdict verdict = found.getOrDefault(other, Verdict.NOT_ENOUGH_RUNS);
              return WORST_LAST.compare(so, verdict) > 0 ? so : verdict;
            });
      }
    }
    return judged ? worst : Map.of();
  }

  /** Where guarantees are required, the others of any treatment that these do not include. */
  Set<Requirement> lacking(Set<Requirement> guarantees) {
    Set<Requirement> lacking = EnumSet.noneOf(Requirement.class);
    if (!required.isEmpty()) {
      ranking.rows().stream()
          .filter(row -> row.refuted().isEmpty())
          .forEach(row -> lacking.addAll(row.guarantees()));
      lacking.removeAll(guarantees);
    }
    return lacking;
  }

  /** Labels of the other treatments that are not significantly worse. */
  public List<String> similar() {
    List<String> similar = new ArrayList<>(verdicts.keySet());
    similar.removeIf(other -> verdicts.get(other) == Verdict.WORSE);
    return similar;
  }

  /** Whether it recommends a treatment. */
  boolean isMade() {
    return best.isPresent() && !isOpen();
  }

  /** What ranks the recommended treatment, by label. */
  Map<String, Estimate> estimates() {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    Ranking.Row row = best.orElseThrow();
    if (!ranking.openLoop()) {
      String part = ranking.part().isEmpty() ? "" : ranking.part() + ", ";
      estimates.put(part + row.label(), row.throughput());
    }
    for (OperationLatency latency :
        ranking.openLoop() ? row.latencies() : List.<OperationLatency>of()) {
      latency
          .of(LatencyStatistic.P99)
          .ifPresent(
              p99 ->
                  estimates.put("%s, p99 of %s".formatted(row.label(), latency.operation()), p99));
    }
    return estimates;
  }

  /** The choices that are the best or not significantly worse. */
  List<String> goodChoices() {
    List<String> good = similar();
    return rows.stream()
        .filter(row -> best.filter(row::equals).isPresent() || good.contains(row.label()))
        .map(ranking::choice)
        .toList();
  }

  /** Whether there are other treatments, and of none is it known how it compares with the best. */
  boolean isOpen() {
    return isOpen(verdicts);
  }

  private static boolean isOpen(Map<String, Verdict> verdicts) {
    return !verdicts.isEmpty()
        && verdicts.values().stream().allMatch(verdict -> verdict == Verdict.NOT_ENOUGH_RUNS);
  }

  /** About how many blocks a further verdict takes; infinite where no number is known. */
  double blocksForVerdict() {
    String label = best.map(Ranking.Row::label).orElse("");
    return verdicts.keySet().stream()
        .filter(other -> verdicts.get(other) == Verdict.NOT_ENOUGH_RUNS)
        .mapToDouble(
            other ->
                models.stream().mapToDouble(m -> m.blocksForVerdict(label, other)).max().orElse(0))
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
