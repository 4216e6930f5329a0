package io.pyrometer.results.ranking;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.FailedTrials;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The recommended treatment of a ranking, and the sentence that says so. It is the one with the
 * highest throughput, or in an open loop the lowest p99, of the candidates: those that have the
 * guarantees which the experiment requires, or else those of the baseline, that no probe refuted,
 * that have a valid trial in every block and miss no threshold (where some treatment does so), and
 * that held an offered rate.
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

  private static final int MOST_CONDITIONS = 3;
  private static final int MOST_EQUALS = 2;

  /** How well the choice of the best is founded. */
  enum Confidence {
    /** No difference between the first two candidates is shown. */
    @JsonProperty("low")
    LOW,
    /** There are fewer than {@value Recommendation#FEW_BLOCKS} blocks. */
    @JsonProperty("medium")
    MEDIUM,
    @JsonProperty("high")
    HIGH
  }

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
                  withinThresholds(run, candidates(ranking, complete, required));
              List<RankingModel> models =
                  throughput
                      .map(List::of)
                      .orElseGet(() -> p99Models(rows, candidates, intervals, excluded));
              return new Recommendation(
                  ranking, rows, required, candidates, models, verdicts(candidates, models));
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

  /** Those that miss no threshold by their estimate; all where none does. */
  private static List<Ranking.Row> withinThresholds(RunRecord run, List<Ranking.Row> rows) {
    List<Threshold> thresholds = run.plan().experiment().thresholds();
    TreatmentTrials trials = new TreatmentTrials(run);
    List<Ranking.Row> within =
        rows.stream()
            .filter(
                row ->
                    thresholds.stream()
                        .allMatch(
                            threshold ->
                                row.estimate(threshold.metric(), trials)
                                    .filter(found -> !threshold.keptBy(found.value()))
                                    .isEmpty()))
            .toList();
    return within.isEmpty() ? rows : within;
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
      List<Ranking.Row> candidates,
      RunIntervals intervals,
      Set<String> excluded) {
    Map<String, List<OperationLatency>> byLabel = new LinkedHashMap<>();
    rows.forEach(row -> byLabel.put(row.label(), row.latencies()));
    List<OperationLatency> operations =
        candidates.stream().limit(1).flatMap(best -> best.latencies().stream()).toList();
    return operations.stream()
        .map(operation -> Rankings.p99Model(operation, operations, byLabel, intervals, excluded))
        .toList();
  }

  /** The worst of all models on each candidate but the first. */
  private static Map<String, Verdict> verdicts(
      List<Ranking.Row> candidates, List<RankingModel> models) {
    if (candidates.isEmpty()) {
      return Map.of();
    }
    List<String> others = candidates.stream().skip(1).map(Ranking.Row::label).toList();
    Map<String, Verdict> worst = new LinkedHashMap<>();
    others.forEach(other -> worst.put(other, Verdict.BETTER));
    boolean judged = false;
    for (RankingModel model : models) {
      Map<String, Verdict> found = model.verdicts(candidates.get(0).label(), others, models.size());
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
  List<String> similar() {
    List<String> similar = new ArrayList<>(verdicts.keySet());
    similar.removeIf(other -> verdicts.get(other) == Verdict.WORSE);
    return similar;
  }

  /** The recommended treatment. */
  Optional<Ranking.Row> best() {
    return candidates.stream().findFirst();
  }

  /** The candidate that is next to the best. */
  Optional<Ranking.Row> second() {
    return candidates.stream().skip(1).findFirst();
  }

  Confidence confidence() {
    boolean shown =
        second()
            .map(next -> verdicts.getOrDefault(next.label(), Verdict.NOT_ENOUGH_RUNS))
            .filter(so -> so != Verdict.WORSE && so != Verdict.NO_RELEVANT_DIFFERENCE)
            .isEmpty();
    if (!shown) {
      return Confidence.LOW;
    }
    int blocks = best().map(row -> row.replicates().replicates().size()).orElse(0);
    return blocks < FEW_BLOCKS ? Confidence.MEDIUM : Confidence.HIGH;
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

  /** What ranks the recommended treatment, by label. */
  Map<String, Estimate> estimates() {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    Ranking.Row row = best().orElseThrow();
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

  /** The best choice, and those of which a loss of {@value #LOSS} against it is excluded. */
  private List<String> goodChoices() {
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
    return confidence() != Confidence.LOW
        ? OptionalDouble.empty()
        : models.stream()
            .mapToDouble(
                model ->
                    model.blocksForVerdict(
                        best().orElseThrow().label(), second().orElseThrow().label()))
            .max();
  }

  /** The recommendations of one ranking as a clause: one for each condition, or one for all. */
  static final class Sentence {
    private final Ranking ranking;
    private final List<Recommendation> all;
    private final Set<String> said;

    private Sentence(List<Recommendation> all, Set<String> said) {
      this.ranking = all.get(0).ranking();
      this.all = all;
      this.said = said;
    }

    /**
     * The clause, or why there is no recommendation, of a ranking with a valid trial.
     *
     * @param said the guarantees that earlier clauses of the same sentence state, which are not
     *     repeated at each offered rate; those of this one are added
     */
    static String of(List<Recommendation> conditions, Set<String> said) {
      return new Sentence(conditions, said).clause();
    }

    static String provisional(double jitPercent) {
      return " (provisional: measured while the JIT compilers used up to %.0f %% of a process's CPU time)"
          .formatted(jitPercent);
    }

    private String clause() {
      if (all.size() == 1) {
        Recommendation only = all.get(0);
        return only.best().isPresent() ? made(only) : none(only);
      }
      if (!ranking.leavesAChoice()) {
        return withoutChoice();
      }
      if (all.stream().allMatch(each -> each.best().isEmpty())) {
        return none(all.get(0));
      }
      Optional<String> everywhere =
          all.stream()
              .flatMap(each -> each.goodChoices().stream())
              .distinct()
              .filter(choice -> all.stream().allMatch(e -> e.goodChoices().contains(choice)))
              .max(Comparator.comparingLong(this::wins));
      if (everywhere.isPresent()) {
        List<Ranking.Row> rows =
            all.stream()
                .flatMap(each -> each.rows().stream())
                .filter(row -> ranking.choice(row).equals(everywhere.get()))
                .toList();
        return "%s with %s under all %d conditions%s%s%s"
            .formatted(
                verb(),
                everywhere.get(),
                all.size(),
                inBrackets(ratios(rows), guarantees(rows)),
                faster(),
                unsure());
      }
      Map<String, List<Recommendation>> byChoice =
          all.stream()
              .collect(
                  ListsByKey.by(each -> each.best().map(ranking::choice).orElse("no treatment")));
      List<String> parts = new ArrayList<>();
      byChoice.forEach((choice, where) -> parts.add("%s at %s".formatted(choice, places(where))));
      List<Ranking.Row> made = all.stream().flatMap(each -> each.best().stream()).toList();
      return "%s with %s%s%s%s"
          .formatted(
              verb(), String.join(", ", parts), inBrackets(guarantees(made)), faster(), unsure());
    }

    /** The conditions under which the choice is hardly founded. */
    private String unsure() {
      List<Recommendation> low =
          all.stream().filter(each -> each.confidence() == Confidence.LOW).toList();
      return low.isEmpty()
          ? ""
          : "; low confidence" + (low.size() == all.size() ? "" : " at " + places(low));
    }

    private static String inBrackets(String... parts) {
      String all =
          Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
      return all.isEmpty() ? "" : " (" + all + ")";
    }

    /**
     * What all of some treatments that write guarantee, and where guarantees are required, what
     * they lack of those that others have; empty where they only read.
     */
    private String guarantees(List<Ranking.Row> rows) {
      if (rows.stream().anyMatch(row -> row.claimed().isEmpty())) {
        return "";
      }
      Set<Requirement> common = EnumSet.allOf(Requirement.class);
      rows.forEach(row -> common.retainAll(row.guarantees()));
      String words = common.isEmpty() ? "no guarantees" : Phrases.promises(common);
      words += but(all.get(0).lacking(common));
      words += common.isEmpty() ? "" : "; " + TreatmentProbes.probed(common, rows);
      return said.add(ranking.job() + words) ? words : "";
    }

    private static String but(Set<Requirement> lacking) {
      return lacking.isEmpty() ? "" : ", but " + Phrases.lacks(lacking);
    }

    private String places(List<Recommendation> where) {
      List<String> places =
          where.stream().map(each -> Labels.of(each.rows().get(0).condition(), "")).toList();
      return places.size() > MOST_CONDITIONS
          ? "%d of %d conditions".formatted(places.size(), all.size())
          : Phrases.and(places);
    }

    /** Under how many conditions a choice is the best. */
    private long wins(String choice) {
      return all.stream()
          .filter(each -> each.best().map(ranking::choice).filter(choice::equals).isPresent())
          .count();
    }

    /** From the smallest to the largest ratio; empty where one is missing. */
    private String ratios(List<Ranking.Row> rows) {
      double[] ratios =
          rows.stream()
              .flatMap(row -> row.ratio().stream())
              .filter(ratio -> !ratio.tooWide())
              .mapToDouble(Estimate::value)
              .sorted()
              .toArray();
      return ratios.length < all.size()
          ? ""
          : "%s to %s times %s"
              .formatted(figure(ratios[0]), figure(ratios[ratios.length - 1]), ranking.baseline());
    }

    /** Only conditions were varied: the figures of the lowest and the highest. */
    private String withoutChoice() {
      List<Ranking.Row> rows = all.stream().flatMap(each -> each.best().stream()).toList();
      if (rows.isEmpty()) {
        return none(all.get(0));
      }
      Ranking.Row first = rows.get(0);
      Ranking.Row last = rows.get(rows.size() - 1);
      return "%s with %s: %s at %s, %s at %s"
          .formatted(
              verb(),
              ranking.choice(first),
              value(first),
              Labels.of(first.condition(), ""),
              value(last),
              Labels.of(last.condition(), ""));
    }

    private String value(Ranking.Row row) {
      return ranking.openLoop()
          ? "p99 " + Figures.plain(row.worstP99().orElse(0) / 1e3) + " ms"
          : Figures.plain(row.throughput().value()) + " records/s";
    }

    private String verb() {
      String verb = ranking.part().isEmpty() ? Phrases.verb(ranking.job()) : ranking.part();
      return ranking.openLoop()
          ? "%s at %s calls/s".formatted(verb, Figures.plain(ranking.rate()))
          : verb;
    }

    private String made(Recommendation of) {
      Ranking.Row row = of.best().orElseThrow();
      String terms = EqualTermsNotes.among(row.marks());
      return ranking.openLoop()
          ? "%s with %s%s%s%s%s%s%s"
              .formatted(
                  verb(),
                  row.label(),
                  p99(of, row),
                  terms,
                  inBrackets(guarantees(List.of(row))),
                  similar(of),
                  cheaper(of),
                  faster())
          : "%s with %s%s%s%s"
              .formatted(
                  verb(),
                  row.label(),
                  inBrackets(
                      measure(of) + throughput(row) + terms, guarantees(List.of(row)) + faster()),
                  similar(of),
                  cheaper(of));
    }

    /** What the recommended treatment is the best by, where others could be recommended. */
    private static String measure(Recommendation of) {
      if (of.candidates().size() < 2) {
        return "";
      }
      return of.candidates().get(0).equals(of.rows().get(0))
          ? "highest throughput, "
          : "highest throughput of those that may be recommended, ";
    }

    private String throughput(Ranking.Row row) {
      return "%s records/s%s"
          .formatted(
              Figures.plain(row.throughput().value()),
              row.ratio()
                  .map(ratio -> ", " + times(ratio) + " " + ranking.baseline())
                  .orElse(ranking.rows().size() > 1 ? ", the baseline" : ""));
    }

    private String p99(Recommendation of, Ranking.Row row) {
      String figures = row.latencies().stream().map(this::p99).collect(Collectors.joining("; "));
      boolean others = of.candidates().size() > 1;
      return ranking.severalOperations()
          ? ": " + (others ? "lowest p99 of the slowest operation" : "p99") + " (" + figures + ")"
          : ": " + (others ? "lowest p99, " : "p99 ") + figures;
    }

    private String p99(OperationLatency latency) {
      String figure = latency.of(LatencyStatistic.P99).map(Sentence::millis).orElse("unknown");
      String against =
          latency.ratio().map(r -> ", " + times(r) + " " + ranking.baseline()).orElse("");
      return (ranking.severalOperations() ? latency.operation() + " " : "") + figure + against;
    }

    private static String millis(Estimate micros) {
      Estimate ms = micros.times(1e-3, "ms");
      return figure(ms.value()) + " ms" + interval(ms);
    }

    private static String times(Estimate ratio) {
      return figure(ratio.value()) + " times" + interval(ratio);
    }

    /** Empty without an interval; an interval that is too wide is not printed. */
    private static String interval(Estimate of) {
      if (!of.hasInterval()) {
        return "";
      }
      if (!of.tooWide()) {
        return " [%s: %s to %s]"
            .formatted(Figures.percent(of.confidence()), figure(of.low()), figure(of.high()));
      }
      OptionalInt blocks = Ratios.replicatesFor(of, 2);
      return blocks.isPresent()
          ? " [too few blocks; about %d would do]".formatted(blocks.getAsInt())
          : " [too few blocks]";
    }

    /** Three digits or so. */
    static String figure(double value) {
      double size = Math.abs(value);
      double step = size >= 100 ? 1 : size >= 10 ? 0.1 : size >= 0.1 ? 0.01 : 1e-4;
      return Figures.plain(Math.round(value / step) * step);
    }

    private static String similar(Recommendation of) {
      if (of.confidence() == Confidence.LOW) {
        String next = of.second().orElseThrow().label();
        List<String> others = of.similar().stream().filter(other -> !other.equals(next)).toList();
        return "; low confidence: not significantly different from %s%s%s"
            .formatted(next, ratio(of, next), others.isEmpty() ? "" : " nor from " + few(others));
      }
      return of.similar().isEmpty()
          ? ""
          : ", not significantly different from " + few(of.similar());
    }

    private static String few(List<String> labels) {
      return labels.size() > MOST_EQUALS ? labels.size() + " others" : Phrases.and(labels);
    }

    /** Of the next treatment to the recommended one; of several operations the table has them. */
    private static String ratio(Recommendation of, String next) {
      return of.models().stream()
          .limit(of.models().size() == 1 ? 1 : 0)
          .flatMap(model -> model.ratio(of.best().orElseThrow().label(), next).stream())
          .map(
              ratio ->
                  " (%s its %s%s)"
                      .formatted(
                          times(ratio),
                          of.ranking().openLoop() ? "p99" : "throughput",
                          ratio.hasInterval() ? "" : " in one block"))
          .findFirst()
          .orElse("");
    }

    private static String cheaper(Recommendation of) {
      return of.cheaper()
          .map(
              row ->
                  "; %s takes %s µs of CPU time for a record instead of %s µs, and a loss of %s is excluded"
                      .formatted(
                          row.label(),
                          figure(cpu(row)),
                          figure(cpu(of.best().orElseThrow())),
                          Figures.percent(LOSS)))
          .orElse("");
    }

    /** Why no treatment under a condition can be recommended. */
    private String none(Recommendation of) {
      List<Ranking.Row> unrefuted =
          of.rows().stream().filter(row -> row.refuted().isEmpty()).toList();
      if (unrefuted.isEmpty()) {
        return "to %s, probes refuted the guarantees of every treatment".formatted(verb());
      }
      if (unrefuted.stream().noneMatch(row -> row.lacks(of.required()).isEmpty())) {
        return "to %s, no treatment has the required guarantees (%s)"
            .formatted(verb(), Phrases.promises(of.required()));
      }
      if (!ranking.openLoop()) {
        return "to %s, no treatment has the guarantees of the baseline".formatted(verb());
      }
      return "no treatment %s, so none is recommended"
          .formatted(
              (of.rows().stream().noneMatch(Ranking.Row::heldRate)
                      ? "held %s calls/s"
                      : "that held %s calls/s has enough calls for a p99")
                  .formatted(Figures.plain(ranking.rate())));
    }

    /**
     * What the treatments that rank before the recommended ones give up; nothing where guarantees
     * are required, because what lacks one is listed as excluded.
     */
    private String faster() {
      Map<String, Set<String>> byLack = new LinkedHashMap<>();
      for (Recommendation each : all) {
        Optional<Ranking.Row> best = each.best().filter(row -> each.required().isEmpty());
        best.ifPresent(
            row ->
                each.rows().subList(0, each.rows().indexOf(row)).stream()
                    .filter(before -> before.refuted().isEmpty() && before.heldRate())
                    .filter(before -> !before.lacks(row.guarantees()).isEmpty())
                    .forEach(
                        before ->
                            byLack
                                .computeIfAbsent(
                                    Phrases.lacks(before.lacks(row.guarantees())),
                                    lack -> new LinkedHashSet<>())
                                .add(ranking.choice(before))));
      }
      List<String> parts = new ArrayList<>();
      byLack.forEach(
          (lack, choices) ->
              parts.add(
                  "; %s %s but %s"
                      .formatted(
                          choices.size() == 1
                              ? choices.iterator().next()
                              : "each of " + Phrases.andOthers(List.copyOf(choices)),
                          ranking.openLoop() ? "has a lower p99" : "is faster",
                          lack)));
      return String.join("", parts);
    }
  }
}
