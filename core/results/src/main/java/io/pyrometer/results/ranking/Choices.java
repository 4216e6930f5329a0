package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.ranking.Answer.Choice;
import io.pyrometer.results.ranking.Answer.Probed;
import io.pyrometer.results.ranking.Answer.Recommended;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The choices of one ranking: one that is good under all its conditions, or several. */
final class Choices {
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
    if (!ranking.leavesAChoice()) {
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

  /** The least favourable figures and common guarantees of one treatment under some conditions. */
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
    return estimates.stream().min(ranking.openLoop() ? byValue.reversed() : byValue).orElseThrow();
  }
}
