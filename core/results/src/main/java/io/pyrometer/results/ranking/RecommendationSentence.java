package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
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
      return only.isMade() ? made(only) : NoRecommendation.clause(only, verb());
    }
    if (!ranking.leavesAChoice()) {
      return withoutChoice();
    }
    if (all.stream().noneMatch(Recommendation::isMade)) {
      return "to %s, %s is significantly different from the best under any of %d conditions"
          .formatted(verb(), NoRecommendation.noneOf(all), all.size());
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
    words += but(all.get(0).lacking(common));
    words += common.isEmpty() ? "" : "; " + probed(common, rows);
    return said.add(ranking.job() + words) ? words : "";
  }

  private static String probed(Set<Requirement> guarantees, List<Ranking.Row> rows) {
    Set<Requirement> probed = EnumSet.copyOf(guarantees);
    rows.forEach(row -> probed.removeIf(guarantee -> !row.probes().tested(guarantee)));
    return probed.isEmpty() ? "declared, not probed" : "probed: " + Phrases.promises(probed);
  }

  static String but(Set<Requirement> lacking) {
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
      return NoRecommendation.clause(all.get(0), verb());
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
  static String figure(double value) {
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
