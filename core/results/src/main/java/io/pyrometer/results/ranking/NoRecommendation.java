package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.Phrases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Why none is recommended of the treatments under one condition. */
final class NoRecommendation {
  /** Beyond this ratio an interval is no ground for a choice. */
  private static final double ALIKE = 2;

  private static final int MOST_NAMED = 4;

  private NoRecommendation() {}

  /**
   * The clause, of a condition with a valid trial.
   *
   * @param verb what is done, such as "write at 500 calls/s"
   */
  static String clause(Recommendation of, String verb) {
    Ranking ranking = of.ranking();
    if (of.isOpen()) {
      Ranking.Row first = of.best().orElseThrow();
      return "to %s, %s is significantly different from %s, which had the %s in %s%s%s%s%s"
          .formatted(
              verb,
              noneOf(List.of(of)),
              first.label(),
              order(ranking, first),
              Figures.count(first.replicates().replicates().size(), "block"),
              first.claimed().isPresent()
                  ? RecommendationSentence.but(of.lacking(first.guarantees()))
                  : "",
              lowerInOne(of, first),
              alike(of, first),
              cpu(of));
    }
    if (of.rows().stream().noneMatch(row -> row.refuted().isEmpty())) {
      return "to %s, probes refuted the guarantees of every treatment".formatted(verb);
    }
    if (of.rows().stream()
        .noneMatch(row -> row.refuted().isEmpty() && row.lacks(of.required()).isEmpty())) {
      return "to %s, no treatment has the required guarantees (%s)"
          .formatted(verb, Phrases.promises(of.required()));
    }
    if (!ranking.openLoop()) {
      return "to %s, no treatment has the guarantees of the baseline".formatted(verb);
    }
    String rate = Figures.plain(ranking.rate());
    return of.rows().stream().noneMatch(Ranking.Row::heldRate)
        ? "no treatment held %s calls/s, so none is recommended".formatted(rate)
        : "no treatment that held %s calls/s has enough calls for a p99, so none is recommended"
            .formatted(rate);
  }

  /** What the first treatment is first by. */
  private static String order(Ranking ranking, Ranking.Row first) {
    if (!ranking.openLoop()) {
      return "highest mean throughput";
    }
    return first.latencies().size() > 1 ? "lowest p99 of the slowest operation" : "lowest p99";
  }

  /** The CPU time of a record, which varies less than throughput; of few treatments alone. */
  private static String cpu(Recommendation of) {
    List<Ranking.Row> rows =
        of.rows().stream()
            .filter(row -> row.cpuMicros().isPresent())
            .sorted(Comparator.comparingDouble(row -> row.cpuMicros().orElseThrow().value()))
            .toList();
    return of.ranking().openLoop() || rows.size() < 2 || rows.size() > MOST_NAMED
        ? ""
        : "; CPU time of a record: "
            + Phrases.and(
                rows.stream()
                    .map(
                        row ->
                            "%s µs with %s"
                                .formatted(
                                    RecommendationSentence.figure(
                                        row.cpuMicros().orElseThrow().value()),
                                    row.label()))
                    .toList());
  }

  /** Between which ratios all others are, where that is narrow enough to act on. */
  private static String alike(Recommendation of, Ranking.Row first) {
    List<String> parts = new ArrayList<>();
    for (RankingModel model : of.models()) {
      List<Estimate> ratios =
          of.verdicts().keySet().stream()
              .flatMap(other -> model.ratio(first.label(), other).stream())
              .filter(Estimate::hasInterval)
              .toList();
      double low = ratios.stream().mapToDouble(Estimate::low).min().orElse(0);
      double high = ratios.stream().mapToDouble(Estimate::high).max().orElse(0);
      if (ratios.size() == of.verdicts().size() && low > 1 / ALIKE && high < ALIKE) {
        parts.add(
            "%s to %s times its %s"
                .formatted(
                    RecommendationSentence.figure(low),
                    RecommendationSentence.figure(high),
                    model.label()));
      }
    }
    return parts.isEmpty() || parts.size() < of.models().size()
        ? ""
        : "; those with its guarantees have %s (95 %% each)".formatted(Phrases.and(parts));
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
  static String noneOf(List<Recommendation> open) {
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
}
