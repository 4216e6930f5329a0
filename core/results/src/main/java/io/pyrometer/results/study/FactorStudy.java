package io.pyrometer.results.study;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.factorial.CellMean;
import io.pyrometer.analysis.factorial.Effect;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialData;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialOptions;
import io.pyrometer.analysis.factorial.LevelEffects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The effects of factors on a response. */
public final class FactorStudy {
  /** A model of more parameters takes more memory and time than its answers are worth. */
  private static final int MAX_PARAMETERS = 300;

  /** Aliases are looked for among all 2^k products of factors; of more factors by main effects. */
  private static final int MAX_ALIASED_FACTORS = 15;

  /** Interactions of three factors are left out where no more values than these would be left. */
  private static final int MIN_LEFT = 8;

  private FactorStudy() {}

  /**
   * Studies the effects of the factors on the response.
   *
   * @param order the levels of factors in their order, of two the lower first; where a factor is
   *     not named, by size or by the alphabet
   * @throws BadDataException in one sentence, if that cannot be told
   */
  public static StudyResult of(
      StudyData measured, List<String> factors, Map<String, List<String>> order) {
    refuseUnfit(measured.observations(), factors);
    FactorialOptions options =
        FactorialOptions.DEFAULT.on(measured.scale()).named(measured.response(), measured.unit());
    String about =
        "analysed on "
            + (measured.scale() == ResponseScale.LN ? "logarithms" : "the figures as they are");
    Optional<FactorialData> design = twoLevels(measured, factors, order);
    if (design.isPresent()) {
      FactorialEffects found = FactorialEffects.of(design.get(), options);
      return new StudyResult(about, found.findings(), TwoLevelPage.of(found), items(found));
    }
    LevelEffects found = levels(measured, factors, options);
    return new StudyResult(about, found.findings(), LevelPage.of(found), items(found));
  }

  /** Empty if the treatments, or those that share a start, are no regular two-level design. */
  private static Optional<FactorialData> twoLevels(
      StudyData measured, List<String> factors, Map<String, List<String>> order) {
    List<Observation> observations = measured.observations();
    boolean two =
        factors.size() <= MAX_ALIASED_FACTORS
            && factors.stream().allMatch(f -> levels(observations, f) == 2);
    if (!two) {
      return Optional.empty();
    }
    if (observations.stream().map(o -> o.value(measured.response())).distinct().count() < 2) {
      throw BadDataException.of(
          "%s is the same to the last digit in every row, so nothing can explain it.",
          measured.response());
    }
    try {
      FactorialData design =
          order.keySet().containsAll(factors)
              ? FactorialData.of(
                  Treatment.group(observations, factors, measured.response()),
                  factors.stream().map(name -> inOrder(name, order, observations)).toList())
              : FactorialData.of(observations, factors, measured.response());
      return Optional.of(design.onStartsOf(observations));
    } catch (BadDataException irregular) {
      return Optional.empty();
    }
  }

  private static Factor inOrder(
      String name, Map<String, List<String>> order, List<Observation> observations) {
    List<String> present =
        order.getOrDefault(name, List.of()).stream()
            .filter(level -> observations.stream().anyMatch(o -> o.level(name).equals(level)))
            .toList();
    return new Factor(name, present);
  }

  /**
   * With all interactions of two factors if the runs can tell them apart, else without; between
   * factors of two levels also with those of three, if enough is left to judge them by.
   */
  private static LevelEffects levels(
      StudyData measured, List<String> factors, FactorialOptions options) {
    List<Observation> observations = measured.observations();
    boolean two = factors.stream().allMatch(f -> levels(observations, f) == 2);
    for (int order = two ? 3 : 2; order > 1; order--) {
      List<String> interactions = new ArrayList<>();
      long parameters = 1 + factors.stream().mapToLong(f -> levels(observations, f) - 1).sum();
      for (List<String> term : products(factors, order)) {
        interactions.add(String.join("*", term));
        parameters +=
            term.stream()
                .mapToLong(f -> levels(observations, f) - 1)
                .reduce(1, (a, b) -> Math.min(a * b, MAX_PARAMETERS + 1L));
      }
      if (parameters < observations.size() && parameters <= MAX_PARAMETERS) {
        try {
          LevelEffects all =
              LevelEffects.of(observations, factors, interactions, measured.response(), options);
          if (all.errorDegreesOfFreedom() > (order == 2 ? 0 : MIN_LEFT)) {
            return all;
          }
        } catch (BadDataException tooFew) {
          // Fewer terms may do; if not, the main effects say why.
        }
      }
    }
    return LevelEffects.of(observations, factors, List.of(), measured.response(), options);
  }

  /** All products of two to so many factors, shorter ones first. */
  private static List<List<String>> products(List<String> factors, int most) {
    List<List<String>> products = new ArrayList<>(factors.stream().map(List::of).toList());
    for (int i = 0; i < products.size(); i++) {
      List<String> shorter = products.get(i);
      int next = factors.indexOf(shorter.get(shorter.size() - 1)) + 1;
      for (int f = next; f < factors.size() && shorter.size() < most; f++) {
        products.add(Stream.concat(shorter.stream(), Stream.of(factors.get(f))).toList());
      }
    }
    return products.subList(factors.size(), products.size());
  }

  private static long levels(List<Observation> observations, String factor) {
    return observations.stream().map(o -> o.level(factor)).distinct().count();
  }

  private static void refuseUnfit(List<Observation> observations, List<String> factors) {
    for (int i = 0; i < factors.size(); i++) {
      if (factors.subList(0, i).contains(factors.get(i))) {
        throw BadDataException.of(
            "The factor %s is named twice; name each factor once.", factors.get(i));
      }
    }
    long main = 1 + factors.stream().mapToLong(f -> levels(observations, f) - 1).sum();
    if (main > MAX_PARAMETERS) {
      throw BadDataException.of(
          "The factors have %d levels together, where at most %d can be analysed; leave out a column that numbers the trials, or analyse fewer levels.",
          main + factors.size() - 1, MAX_PARAMETERS);
    }
  }

  private static List<StudyResult.Item> items(FactorialEffects found) {
    List<StudyResult.Item> items = new ArrayList<>();
    items.add(new StudyResult.Item("mean", found.mean(), ""));
    for (Effect effect : found.effects()) {
      String name = effect.chain().first().letters() + " " + effect.chain().first().name();
      String note = note(effect.share(), effect.adjustedP(), effect.active());
      items.add(
          new StudyResult.Item(name, effect.change(), note + "; " + effect.chain().letters()));
    }
    return items;
  }

  private static List<StudyResult.Item> items(LevelEffects found) {
    List<StudyResult.Item> items = new ArrayList<>();
    for (LevelEffects.Term term : found.terms()) {
      String note = note(term.share(), term.adjustedP(), term.active());
      term.change()
          .map(change -> new StudyResult.Item(term.name() + " changed", change, note))
          .ifPresent(items::add);
    }
    for (CellMean mean : found.levelMeans()) {
      String levels =
          mean.levels().entrySet().stream()
              .map(level -> level.getKey() + "=" + level.getValue())
              .collect(Collectors.joining(", "));
      items.add(new StudyResult.Item(levels, mean.mean(), ""));
    }
    return items;
  }

  private static String note(double share, OptionalDouble adjustedP, boolean active) {
    return "share %s%s; %s"
        .formatted(
            Figures.plain(share),
            adjustedP.isPresent() ? "; adjusted " + Figures.p(adjustedP.getAsDouble()) : "",
            active ? "significant" : "not significant");
  }
}
