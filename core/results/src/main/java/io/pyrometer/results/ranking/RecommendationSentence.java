package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.Phrases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The recommendations of one ranking as a clause: one for each condition, or the same for all. */
final class RecommendationSentence {
  private static final int MOST_CONDITIONS = 3;
  private static final int MOST_EQUALS = 2;

  private final Ranking ranking;
  private final List<Recommendation> all;
  private final Set<String> said;

  private RecommendationSentence(List<Recommendation> all, Set<String> said) {
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
    return new RecommendationSentence(conditions, said).clause();
  }

  static String provisional(double jitPercent) {
    return " (provisional: measured while the JIT compilers used up to %.0f %% of a process's CPU time)"
        .formatted(jitPercent);
  }

  private String clause() {
    if (all.size() == 1) {
      Recommendation only = all.get(0);
      return only.isMade() ? made(only) : none(only);
    }
    if (!ranking.leavesAChoice()) {
      return withoutChoice();
    }
    if (all.stream().noneMatch(Recommendation::isMade)) {
      return "to %s, %s is significantly different from the best under any of %d conditions"
          .formatted(verb(), noneOf(all), all.size());
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
      return "%s with %s under all %d conditions%s%s"
          .formatted(
              verb(),
              everywhere.get(),
              all.size(),
              inBrackets(ratios(rows), guarantees(rows)),
              faster());
    }
    Map<String, List<Recommendation>> byChoice =
        all.stream()
            .collect(
                ListsByKey.by(
                    each ->
                        each.isMade()
                            ? each.best().map(ranking::choice).orElseThrow()
                            : "no treatment"));
    List<String> parts = new ArrayList<>();
    byChoice.forEach((choice, where) -> parts.add("%s at %s".formatted(choice, places(where))));
    List<Ranking.Row> made =
        all.stream().filter(Recommendation::isMade).flatMap(each -> each.best().stream()).toList();
    return "%s with %s%s%s"
        .formatted(verb(), String.join(", ", parts), inBrackets(guarantees(made)), faster());
  }

  private static String inBrackets(String... parts) {
    String all = Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
    return all.isEmpty() ? "" : " (" + all + ")";
  }

  /**
   * What all of some treatments that write guarantee, and where guarantees are required, what they
   * lack of those that others have; empty where they only read.
   */
  private String guarantees(List<Ranking.Row> rows) {
    if (rows.stream().anyMatch(row -> row.claimed().isEmpty())) {
      return "";
    }
    Set<Requirement> common = EnumSet.allOf(Requirement.class);
    rows.forEach(row -> common.retainAll(row.guarantees()));
    String words = common.isEmpty() ? "no guarantees" : Phrases.promises(common);
    if (all.stream().anyMatch(each -> !each.required().isEmpty())) {
      Set<Requirement> lacking = EnumSet.noneOf(Requirement.class);
      ranking.rows().stream()
          .filter(row -> row.refuted().isEmpty())
          .forEach(row -> lacking.addAll(row.guarantees()));
      lacking.removeAll(common);
      words += lacking.isEmpty() ? "" : ", but " + Phrases.lacks(lacking);
    }
    return said.add(ranking.job() + words) ? words : "";
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

  /** What the first treatment is first by. */
  private String order(Ranking.Row first) {
    if (!ranking.openLoop()) {
      return "highest mean throughput";
    }
    return first.latencies().size() > 1 ? "lowest p99 of the slowest operation" : "lowest p99";
  }

  /** Why there is no recommendation. */
  private String none(Recommendation of) {
    if (of.isOpen()) {
      Ranking.Row first = of.best().orElseThrow();
      return "to %s, %s is significantly different from %s, which had the %s in %s%s"
          .formatted(
              verb(),
              noneOf(List.of(of)),
              first.label(),
              order(first),
              Figures.count(first.replicates().replicates().size(), "block"),
              lowerInOne(of, first));
    }
    if (of.rows().stream().noneMatch(row -> row.refuted().isEmpty())) {
      return "to %s, probes refuted the guarantees of every treatment".formatted(verb());
    }
    if (of.rows().stream()
        .noneMatch(row -> row.refuted().isEmpty() && row.lacks(of.required()).isEmpty())) {
      return "to %s, no treatment has the required guarantees (%s)"
          .formatted(verb(), Phrases.promises(of.required()));
    }
    if (!ranking.openLoop()) {
      return "to %s, no treatment has the guarantees of the baseline".formatted(verb());
    }
    String rate = Figures.plain(ranking.rate());
    return of.rows().stream().noneMatch(Ranking.Row::heldRate)
        ? "no treatment held %s calls/s, so none is recommended".formatted(rate)
        : "no treatment that held %s calls/s has enough calls for a p99, so none is recommended"
            .formatted(rate);
  }

  /** Treatments that are better by the p99 of one operation, where that of all decides. */
  private static String lowerInOne(Recommendation of, Ranking.Row first) {
    List<String> others = List.copyOf(of.verdicts().keySet());
    int operations = of.models().size();
    List<String> parts = new ArrayList<>();
    for (RankingModel model : operations > 1 ? of.models() : List.<RankingModel>of()) {
      Map<String, Verdict> verdicts = model.verdicts(first.label(), others, operations);
      List<String> better =
          others.stream().filter(other -> verdicts.get(other) == Verdict.BETTER).toList();
      if (!better.isEmpty()) {
        parts.add("the %s is lower with %s".formatted(model.label(), Phrases.andOthers(better)));
      }
    }
    return parts.isEmpty() ? "" : ", but " + Phrases.and(parts);
  }

  /** The treatments of which none is known to be better; by name where guarantees are required. */
  private String noneOf(List<Recommendation> open) {
    Set<Requirement> required = open.get(0).required();
    return required.isEmpty()
        ? "no treatment"
        : "none of those with the required guarantees (%s: %s)"
            .formatted(
                Phrases.promises(required),
                Phrases.andOthers(
                    open.stream()
                        .flatMap(each -> each.goodChoices().stream())
                        .distinct()
                        .toList()));
  }

  private String made(Recommendation of) {
    Ranking.Row row = of.best().orElseThrow();
    String terms = EqualTermsNotes.among(row.marks());
    return ranking.openLoop()
        ? "%s with %s%s%s%s%s%s"
            .formatted(
                verb(),
                row.label(),
                p99(of, row),
                terms,
                inBrackets(guarantees(List.of(row))),
                similar(of),
                faster())
        : "%s with %s%s%s"
            .formatted(
                verb(),
                row.label(),
                inBrackets(throughput(row) + terms, guarantees(List.of(row)) + faster()),
                similar(of));
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
    boolean others = of.rows().stream().filter(Ranking.Row::heldRate).count() > 1;
    return ranking.severalOperations()
        ? ": " + (others ? "lowest p99 of the slowest operation" : "p99") + " (" + figures + ")"
        : ": " + (others ? "lowest p99, " : "p99 ") + figures;
  }

  private String p99(OperationLatency latency) {
    String figure =
        latency.of(LatencyStatistic.P99).map(RecommendationSentence::millis).orElse("unknown");
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
  private static String figure(double value) {
    double size = Math.abs(value);
    double step = size >= 100 ? 1 : size >= 10 ? 0.1 : size >= 0.1 ? 0.01 : 1e-4;
    return Figures.plain(Math.round(value / step) * step);
  }

  private static String similar(Recommendation of) {
    List<String> equals = of.similar();
    if (equals.isEmpty()) {
      return of.costlier().isEmpty()
          ? ""
          : ", which used less CPU time for a record than %s; one block does not show which is faster"
              .formatted(Phrases.andOthers(of.costlier()));
    }
    return equals.size() > MOST_EQUALS
        ? "; %d others do not differ significantly from it".formatted(equals.size())
        : ", not significantly different from " + Phrases.and(equals);
  }

  /**
   * What the treatments that rank before the recommended ones give up; nothing where guarantees are
   * required, because what lacks one is listed as excluded.
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
