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
import java.util.stream.Collectors;

/** The effects of factors on a response. */
public final class FactorStudy {
  /** A model of more parameters takes more memory and time than its answers are worth. */
  private static final int MOST_PARAMETERS = 300;

  /** Aliases are looked for among all 2^k products of factors; of more factors by main effects. */
  private static final int MOST_ALIASED_FACTORS = 15;

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

  /** Empty if the treatments are no regular two-level design. */
  private static Optional<FactorialData> twoLevels(
      StudyData measured, List<String> factors, Map<String, List<String>> order) {
    List<Observation> observations = measured.observations();
    boolean two =
        factors.size() <= MOST_ALIASED_FACTORS
            && factors.stream()
                .allMatch(f -> observations.stream().map(o -> o.level(f)).distinct().count() == 2);
    if (!two) {
      return Optional.empty();
    }
    if (observations.stream().map(o -> o.value(measured.response())).distinct().count() < 2) {
      throw BadDataException.of(
          "%s is the same to the last digit in every row, so nothing can explain it.",
          measured.response());
    }
    try {
      if (!order.keySet().containsAll(factors)) {
        return Optional.of(FactorialData.of(observations, factors, measured.response()));
      }
      List<Treatment> treatments = Treatment.group(observations, factors, measured.response());
      return Optional.of(
          FactorialData.of(
              treatments,
              factors.stream().map(name -> inOrder(name, order, observations)).toList()));
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

  /** With all interactions of two factors if the runs can tell them apart, else without. */
  private static LevelEffects levels(
      StudyData measured, List<String> factors, FactorialOptions options) {
    List<Observation> observations = measured.observations();
    List<String> pairs = new ArrayList<>();
    long parameters = 1;
    for (int a = 0; a < factors.size(); a++) {
      long ofA = levels(observations, factors.get(a)) - 1;
      parameters += ofA;
      for (int b = a + 1; b < factors.size(); b++) {
        pairs.add(factors.get(a) + "*" + factors.get(b));
        parameters += ofA * (levels(observations, factors.get(b)) - 1);
      }
    }
    if (parameters < observations.size() && parameters <= MOST_PARAMETERS) {
      try {
        LevelEffects all =
            LevelEffects.of(observations, factors, pairs, measured.response(), options);
        if (all.errorDegreesOfFreedom() > 0) {
          return all;
        }
      } catch (BadDataException tooFew) {
        // The main effects alone may do; if not, they say why.
      }
    }
    return LevelEffects.of(observations, factors, List.of(), measured.response(), options);
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
    if (main > MOST_PARAMETERS) {
      throw BadDataException.of(
          "The factors have %d levels together, where at most %d can be analysed; leave out a column that numbers the trials, or analyse fewer levels.",
          main + factors.size() - 1, MOST_PARAMETERS);
    }
  }

  private static List<StudyResult.Item> items(FactorialEffects found) {
    List<StudyResult.Item> items = new ArrayList<>();
    items.add(new StudyResult.Item("mean", found.mean(), ""));
    for (Effect effect : found.effects()) {
      String name = effect.chain().first().letters() + " " + effect.chain().first().name();
      String p =
          effect.adjustedP().isPresent()
              ? "; adjusted " + Figures.p(effect.adjustedP().getAsDouble())
              : "";
      items.add(
          new StudyResult.Item(
              name,
              effect.change(),
              "share %s%s; %s; %s"
                  .formatted(
                      Figures.plain(effect.share()),
                      p,
                      effect.active() ? "significant" : "not significant",
                      effect.chain().letters())));
    }
    return items;
  }

  private static List<StudyResult.Item> items(LevelEffects found) {
    List<StudyResult.Item> items = new ArrayList<>();
    for (LevelEffects.Term term : found.terms()) {
      term.change()
          .ifPresent(
              change ->
                  items.add(
                      new StudyResult.Item(
                          term.name() + " changed",
                          change,
                          "share %s; adjusted %s; %s"
                              .formatted(
                                  Figures.plain(term.share()),
                                  Figures.p(term.adjustedP().orElse(1)),
                                  term.active() ? "significant" : "not significant"))));
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
}
