package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.ProcessStarts;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Answer.Choice;
import io.pyrometer.results.ranking.Answer.Probed;
import io.pyrometer.results.ranking.Answer.Recommended;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The recommended treatment of a ranking under one condition. It is the one with the highest
 * throughput, or in an open loop the lowest p99, of the candidates: those that have the guarantees
 * which the experiment requires, or else those of the baseline, that no probe refuted, that have a
 * valid trial in every block and miss no threshold (where some treatment does so), and that held an
 * offered rate.
 *
 * @param rows the treatments under its condition, the fastest first, candidates or not
 * @param required by the experiment; empty where it requires nothing
 * @param candidates the best first; empty where no treatment can be recommended
 * @param models of the throughput of all treatments of the ranking, or of the p99 of each operation
 * @param verdicts on each candidate but the best; empty where there is no noise to judge them by
 */
record Recommendation(
    Ranking ranking,
    List<Ranking.Row> rows,
    Set<Requirement> required,
    List<Ranking.Row> candidates,
    List<RankingModel> models,
    Map<String, Verdict> verdicts) {
  /** A loss of this share must be excluded of a treatment that is named for its CPU time. */
  static final double LOSS = 0.1;

  /** Fewer blocks give at most a medium confidence. */
  static final int FEW_BLOCKS = 5;

  /** In one block, treatments whose figures differ by less than this share are called alike. */
  static final double CLOSE = 0.2;

  /** Order in which what is worse for a treatment comes later. */
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

  /** Recommendation for all treatments of a run's ranking, whatever their conditions. */
  static Recommendation of(RunRecord run, Ranking ranking) {
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
    ProcessStarts starts = ProcessStarts.of(run.counting());
    Map<String, Treatment> values = new LinkedHashMap<>();
    ranking.rows().forEach(row -> values.put(row.label(), row.replicates()));
    Set<Requirement> required = new TreeSet<>(run.experiment().require());
    Set<String> excluded =
        ranking.rows().stream()
            .filter(row -> !keeps(row, required))
            .map(Ranking.Row::label)
            .collect(Collectors.toSet());
    Optional<RankingModel> throughput =
        ranking.openLoop()
            ? Optional.empty()
            : Optional.of(new RankingModel(NamedMetric.THROUGHPUT, values, starts, excluded));
    Set<Map<String, String>> incomplete =
        FailedTrials.of(run).entrySet().stream()
            .filter(each -> each.getValue().lost() > 0)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    List<Threshold> thresholds = run.experiment().thresholds();
    Set<Map<String, String>> hidden = TreatmentNotes.hiddenHops(run);
    return conditions.stream()
        .map(
            rows -> {
              List<Ranking.Row> complete =
                  preferred(
                      candidates(ranking, rows, required),
                      row -> !incomplete.contains(row.levels()));
              List<Ranking.Row> eligible =
                  preferred(complete, row -> !hidden.contains(row.levels()));
              List<Ranking.Row> candidates =
                  preferred(eligible, row -> isWithin(thresholds, row, run));
              List<RankingModel> models =
                  throughput
                      .map(List::of)
                      .orElseGet(() -> p99Models(rows, candidates, starts, excluded));
              return new Recommendation(
                  ranking, rows, required, candidates, models, verdicts(candidates, models));
            })
        .toList();
  }

  /** Rows that fulfil a condition; all where none does. */
  private static List<Ranking.Row> preferred(
      List<Ranking.Row> rows, Predicate<Ranking.Row> condition) {
    List<Ranking.Row> preferred = rows.stream().filter(condition).toList();
    return preferred.isEmpty() ? rows : preferred;
  }

  /** Returns whether a treatment misses no threshold by its estimate. */
  private static boolean isWithin(List<Threshold> thresholds, Ranking.Row row, RunRecord run) {
    return thresholds.stream()
        .allMatch(
            threshold ->
                row.estimate(threshold.metric(), run)
                    .filter(found -> !threshold.keptBy(found.value()))
                    .isEmpty());
  }

  /** Rows that may be recommended, the fastest or the lowest p99 first. */
  private static List<Ranking.Row> candidates(
      Ranking ranking, List<Ranking.Row> rows, Set<Requirement> required) {
    Set<Requirement> wanted = wanted(rows, ranking.rows(), required);
    return rows.stream()
        .filter(row -> keeps(row, wanted))
        .filter(row -> !ranking.openLoop() || (row.heldRate() && row.worstP99().isPresent()))
        .toList();
  }

  /**
   * Guarantees that a treatment claims, even where a probe refuted them; empty for one that does
   * not write.
   */
  private static Optional<Set<Requirement>> claims(Ranking.Row row) {
    return row.claimed()
        .map(path -> row.refuted().isEmpty() ? row.guarantees() : Requirement.of(path));
  }

  /** The guarantees that a treatment must have: the required ones, or else like the baseline's. */
  static Set<Requirement> wanted(
      List<Ranking.Row> rows, List<Ranking.Row> others, Set<Requirement> required) {
    Set<Requirement> wanted = new TreeSet<>(required);
    if (required.isEmpty()) {
      Stream.concat(rows.stream(), others.stream())
          .filter(Ranking.Row::isBaseline)
          .findFirst()
          .flatMap(Recommendation::claims)
          .ifPresent(
              claims -> REPLACED_BY_LIKE.stream().filter(claims::contains).forEach(wanted::add));
    }
    return wanted;
  }

  /** Returns whether no probe refuted a claim of a treatment, and it has these guarantees. */
  private static boolean keeps(Ranking.Row row, Set<Requirement> wanted) {
    return row.refuted().isEmpty() && row.lacks(wanted).isEmpty();
  }

  /** Where a rate is offered, p99 of each operation of the best ranks. */
  private static List<RankingModel> p99Models(
      List<Ranking.Row> rows,
      List<Ranking.Row> candidates,
      ProcessStarts starts,
      Set<String> excluded) {
    Map<String, List<OperationLatency>> byLabel = new LinkedHashMap<>();
    rows.forEach(row -> byLabel.put(row.label(), row.latencies()));
    List<OperationLatency> operations =
        candidates.stream().limit(1).flatMap(best -> best.latencies().stream()).toList();
    return operations.stream()
        .map(
            each ->
                new RankingModel(
                    each.p99Metric(), each.p99Values(operations, byLabel), starts, excluded))
        .toList();
  }

  /** The worst of all models on each candidate but the first. */
  private static Map<String, Verdict> verdicts(
      List<Ranking.Row> candidates, List<RankingModel> models) {
    if (candidates.isEmpty()) {
      return Map.of();
    }
    List<String> others = candidates.stream().skip(1).map(Ranking.Row::label).toList();
    List<Map<String, Verdict>> found =
        models.stream()
            .map(model -> model.verdicts(candidates.get(0).label(), others, models.size()))
            .filter(each -> !each.isEmpty())
            .toList();
    Map<String, Verdict> worst = new LinkedHashMap<>();
    for (String other : others) {
      found.stream()
          .map(each -> each.getOrDefault(other, Verdict.NOT_ENOUGH_RUNS))
          .max(WORST_LAST)
          .ifPresent(verdict -> worst.put(other, verdict));
    }
    return worst;
  }

  Optional<Ranking.Row> best() {
    return candidates.stream().findFirst();
  }

  Optional<Ranking.Row> second() {
    return candidates.stream().skip(1).findFirst();
  }

  /** Returns whether no model shows a difference, or that none matters, between the first two. */
  private boolean undecided() {
    return second()
        .map(next -> verdicts.getOrDefault(next.label(), Verdict.NOT_ENOUGH_RUNS))
        .filter(so -> so != Verdict.WORSE && so != Verdict.NO_RELEVANT_DIFFERENCE)
        .isPresent();
  }

  private int blocks() {
    return best().map(row -> row.replicates().replicates().size()).orElse(0);
  }

  /** The reasons for less than a high confidence, those for a low one first. */
  List<Finding> doubts() {
    List<Finding> doubts = new ArrayList<>(gravest());
    if (best().filter(Ranking.Row::notWarm).isPresent()) {
      doubts.add(Finding.notice("confidence.not-warm"));
    }
    if (blocks() > 1 && blocks() < FEW_BLOCKS) {
      doubts.add(Finding.notice("confidence.few-blocks").with("blocks", blocks()));
    }
    return doubts;
  }

  private List<Finding> gravest() {
    List<Finding> gravest = new ArrayList<>();
    if (blocks() == 1) {
      gravest.add(Finding.notice("confidence.one-block"));
    } else if (undecided()) {
      gravest.add(
          Finding.notice("confidence.close")
              .with("other", second().map(ranking::choice).orElseThrow()));
    }
    if (models.stream().anyMatch(RankingModel::hasDependentBlocks)) {
      gravest.add(Finding.notice("confidence.dependent-blocks"));
    }
    return gravest;
  }

  Answer.Confidence confidence() {
    if (!gravest().isEmpty()) {
      return Answer.Confidence.LOW;
    }
    return doubts().isEmpty() ? Answer.Confidence.HIGH : Answer.Confidence.MEDIUM;
  }

  /**
   * The candidate with the least CPU time for a record, if it takes less than the best by {@value
   * #LOSS} and a loss of {@value #LOSS} against the best is excluded.
   */
  Optional<Ranking.Row> cheaper() {
    return candidates.stream()
        .skip(1)
        .filter(row -> cpu(row) < (1 - LOSS) * best().map(Recommendation::cpu).orElse(0.0))
        .filter(this::losesLittle)
        .min(Comparator.comparingDouble(Recommendation::cpu));
  }

  private static double cpu(Ranking.Row row) {
    return row.cpuMicros().map(Estimate::value).orElse(Double.POSITIVE_INFINITY);
  }

  private boolean losesLittle(Ranking.Row candidate) {
    String label = best().orElseThrow().label();
    return !models.isEmpty()
        && models.stream()
            .allMatch(
                model ->
                    model
                        .ratio(label, candidate.label())
                        .filter(Estimate::hasInterval)
                        .filter(r -> ranking.openLoop() ? r.high() < 1 + LOSS : r.low() > 1 - LOSS)
                        .isPresent());
  }

  /** The figure that ranks a treatment: records/s, or the worst p99 in ms. */
  Estimate figure(Ranking.Row row) {
    return ranking.openLoop()
        ? worst(row).of(LatencyStatistic.P99).orElseThrow().times(1e-3, "ms")
        : row.throughput();
  }

  Optional<Estimate> ratio(Ranking.Row row) {
    return ranking.openLoop() ? worst(row).ratio() : row.ratio();
  }

  private static OperationLatency worst(Ranking.Row row) {
    return row.latencies().stream()
        .max(
            Comparator.comparingDouble(
                each -> each.of(LatencyStatistic.P99).map(Estimate::value).orElse(0.0)))
        .orElseThrow();
  }

  /** The others that are not significantly different; of one block those that are close to it. */
  List<Answer.Alternative> alike() {
    return candidates.stream()
        .skip(1)
        .filter(
            row ->
                verdicts.isEmpty()
                    ? against(row)
                        .filter(it -> Math.abs(Math.log(it.value())) < -Math.log(1 - CLOSE))
                        .isPresent()
                    : verdicts.getOrDefault(row.label(), Verdict.WORSE) != Verdict.WORSE)
        .map(this::alternative)
        .toList();
  }

  Answer.Alternative alternative(Ranking.Row row) {
    return new Answer.Alternative(ranking.choice(row), against(row));
  }

  /** The figure of another treatment over that of the best, of several operations the highest. */
  private Optional<Estimate> against(Ranking.Row other) {
    String label = best().orElseThrow().label();
    return models.stream()
        .flatMap(model -> model.ratio(label, other.label()).stream())
        .max(Comparator.comparingDouble(Estimate::value));
  }

  Finding none() {
    List<Ranking.Row> unrefuted = rows.stream().filter(row -> row.refuted().isEmpty()).toList();
    Set<Requirement> wanted = wanted(rows, ranking.rows(), required);
    List<Ranking.Row> kept = rows.stream().filter(row -> keeps(row, wanted)).toList();
    String reason =
        unrefuted.isEmpty()
            ? "refuted"
            : unrefuted.stream().noneMatch(row -> row.lacks(required).isEmpty())
                ? "lacks-required"
                : kept.isEmpty()
                    ? "lacks-guarantees-of-baseline"
                    : kept.stream().noneMatch(Ranking.Row::heldRate)
                        ? "rate-not-held"
                        : "too-few-calls";
    return Finding.warning("no-answer." + reason)
        .with("job", ranking.part().isEmpty() ? ranking.job().id() : ranking.part())
        .with("required", required.stream().map(Requirement::words).toList())
        .with("rate", Value.rate(ranking.rate()));
  }

  /** The best choice, and those of which a loss of {@value #LOSS} against it is excluded. */
  List<String> goodChoices() {
    return candidates.stream()
        .filter(row -> row.equals(candidates.get(0)) || losesLittle(row))
        .map(ranking::choice)
        .toList();
  }

  /**
   * About how many blocks show whether the first two candidates differ; infinite where no number is
   * known, empty where it is shown.
   */
  OptionalDouble blocksWanted() {
    return !undecided()
        ? OptionalDouble.empty()
        : models.stream()
            .mapToDouble(
                model ->
                    model.blocksForVerdict(
                        best().orElseThrow().label(), second().orElseThrow().label()))
            .max();
  }

  /** The choices of one ranking: one that is good under all its conditions, or several. */
  static final class Choices {
    private static final int MAX_CONDITIONS = 3;

    private final Ranking ranking;
    private final List<Recommendation> all;

    private Choices(List<Recommendation> all) {
      this.ranking = all.get(0).ranking();
      this.all = all;
    }

    /** At least one, for the recommendations of a ranking under its conditions. */
    static List<Choice> of(List<Recommendation> conditions) {
      return new Choices(conditions).choices();
    }

    private List<Choice> choices() {
      if (all.size() == 1 || all.stream().allMatch(each -> each.best().isEmpty())) {
        return List.of(choice("", List.of(all.get(0))));
      }
      if (ranking.rows().size() + ranking.unranked().size() <= all.size()) {
        List<Recommendation> ends =
            all.size() <= MAX_CONDITIONS ? all : List.of(all.get(0), all.get(all.size() - 1));
        return ends.stream().map(each -> choice(places(List.of(each)), List.of(each))).toList();
      }
      Optional<String> everywhere =
          all.stream()
              .flatMap(each -> each.goodChoices().stream())
              .distinct()
              .filter(choice -> all.stream().allMatch(e -> e.goodChoices().contains(choice)))
              .max(Comparator.comparingLong(this::wins));
      if (everywhere.isPresent()) {
        return List.of(choice("", all, everywhere.get()));
      }
      Map<String, List<Recommendation>> byChoice =
          all.stream().collect(ListsByKey.by(each -> each.best().map(ranking::choice).orElse("")));
      List<Choice> choices = new ArrayList<>();
      byChoice.forEach((choice, where) -> choices.add(choice(places(where), where)));
      return choices;
    }

    /** The number of conditions under which a choice is the best. */
    private long wins(String choice) {
      return all.stream()
          .filter(each -> each.best().map(ranking::choice).filter(choice::equals).isPresent())
          .count();
    }

    private String places(List<Recommendation> where) {
      List<String> places =
          where.stream().map(each -> Labels.of(each.rows().get(0).condition(), "")).toList();
      return places.size() > MAX_CONDITIONS
          ? "%d of %d conditions".formatted(places.size(), all.size())
          : Phrases.and(places);
    }

    private Choice choice(String condition, List<Recommendation> where) {
      return choice(
          condition, where, where.get(0).best().map(ranking::choice).orElse("no treatment"));
    }

    private Choice choice(String condition, List<Recommendation> where, String choice) {
      List<Recommended> made =
          where.stream()
              .flatMap(
                  each ->
                      each.candidates().stream()
                          .filter(row -> ranking.choice(row).equals(choice))
                          .limit(1)
                          .map(row -> recommended(each, row)))
              .toList();
      return new Choice(
          ranking.job(),
          ranking.part(),
          ranking.rate(),
          condition,
          made.isEmpty() ? Optional.empty() : Optional.of(merged(made)),
          made.isEmpty() ? Optional.of(where.get(0).none()) : Optional.empty());
    }

    private Recommended recommended(Recommendation of, Ranking.Row row) {
      boolean best = of.best().filter(row::equals).isPresent();
      return new Recommended(
          ranking.choice(row),
          of.figure(row),
          of.ratio(row),
          ranking.baseline(),
          1,
          row.claimed().isPresent() ? row.guarantees() : Set.of(),
          Stream.of(ProbeKind.values())
              .flatMap(
                  kind ->
                      row.probes().found(kind).stream()
                          .map(found -> new Probed(kind, found.staleOrLost(), found.checked())))
              .toList(),
          best ? of.alike() : List.of(),
          best ? of.cheaper().map(of::alternative) : Optional.empty(),
          of.confidence());
    }

    /**
     * The least favourable figures and common guarantees of one treatment under some conditions.
     */
    private Recommended merged(List<Recommended> made) {
      Recommended first = made.get(0);
      if (made.size() == 1) {
        return first;
      }
      Set<Requirement> common = EnumSet.allOf(Requirement.class);
      made.forEach(each -> common.retainAll(each.guarantees()));
      List<Estimate> ratios = made.stream().flatMap(each -> each.ratio().stream()).toList();
      return new Recommended(
          first.treatment(),
          least(made.stream().map(Recommended::figure).toList()),
          ratios.size() < made.size() ? Optional.empty() : Optional.of(least(ratios)),
          first.baseline(),
          made.size(),
          common,
          made.stream().flatMap(each -> each.probed().stream()).distinct().limit(1).toList(),
          List.of(),
          Optional.empty(),
          made.stream().map(Recommended::confidence).min(Comparator.naturalOrder()).orElseThrow());
    }

    private Estimate least(List<Estimate> estimates) {
      Comparator<Estimate> byValue = Comparator.comparingDouble(Estimate::value);
      return estimates.stream()
          .min(ranking.openLoop() ? byValue.reversed() : byValue)
          .orElseThrow();
    }
  }
}
