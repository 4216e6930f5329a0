package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.tuning.ResponseModel.Prediction;
import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import io.pyrometer.analysis.tuning.TuningSearch.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The result of a search.
 *
 * @param contenders the configurations of the confirmation: the default, the winner, the runner-up
 * @param gains of the winner and the runner-up, as a ratio to the default in the same blocks of the
 *     confirmation alone; empty for one that failed there, or has fewer than two blocks
 * @param effects of each knob on the winner
 * @param possible the ratio to the winner that the model gives the best of all configurations with
 *     95 % at most; 1 where it knows none that may be better. It holds only where the model does,
 *     so it is empty where the model did not predict configurations drawn at random
 */
public record TuningOutcome(
    List<List<Integer>> contenders,
    List<Optional<Estimate>> gains,
    List<Effect> effects,
    OptionalDouble possible) {

  /** The least share of their variance with which the model counts as predicting them. */
  private static final double PREDICTS = 0.5;

  /**
   * How much one knob contributes to the winner.
   *
   * @param level of the winner
   * @param other the default's level, or, where they are equal, the one that differs most from it
   * @param ratio of the response at the winner to that with the other level
   */
  public record Effect(int knob, int level, int other, Estimate ratio) {
    /** True where the interval excludes that there is no effect. */
    public boolean matters() {
      return !ratio.contains(1);
    }

    /** True where the interval excludes a relevant effect. */
    public boolean irrelevant() {
      return Math.log(ratio.high()) < TuningSearch.RELEVANT
          && Math.log(ratio.low()) > -TuningSearch.RELEVANT;
    }
  }

  /** Evaluates a search; empty where nothing but the default works, or too little was measured. */
  public static Optional<TuningOutcome> of(TuningSearch search, List<Measured> history) {
    List<List<Integer>> contenders =
        history.isEmpty() || history.get(0).failed() ? List.of() : search.contenders(history);
    if (contenders.isEmpty()) {
      return Optional.empty();
    }
    Surface surface = new Surface(search.space(), history);
    List<Optional<Estimate>> gains =
        contenders.stream().skip(1).map(each -> gain(history, contenders.get(0), each)).toList();
    List<Integer> winner = contenders.get(1);
    return Optional.of(
        new TuningOutcome(
            contenders,
            gains,
            effects(search.space(), surface, winner, history.size()),
            search.explained(history).orElse(0) >= PREDICTS
                ? OptionalDouble.of(
                    Math.exp(
                        surface.possible(
                            winner, Estimate.CONFIDENCE, search.random(history.size()))))
                : OptionalDouble.empty()));
  }

  private static Optional<Estimate> gain(
      List<Measured> history, List<Integer> initial, List<Integer> winner) {
    Map<Integer, OptionalDouble> base = confirmed(history, initial);
    Map<Integer, OptionalDouble> changed = confirmed(history, winner);
    double[] differences =
        changed.entrySet().stream()
            .flatMapToDouble(
                each ->
                    base.getOrDefault(each.getKey(), OptionalDouble.empty()).stream()
                        .map(from -> each.getValue().orElse(from) - from))
            .toArray();
    return differences.length < 2 || changed.containsValue(OptionalDouble.empty())
        ? Optional.empty()
        : Optional.of(Means.arithmetic(differences, "").exp());
  }

  /** The responses of a configuration in the confirmation, by block. */
  private static Map<Integer, OptionalDouble> confirmed(
      List<Measured> history, List<Integer> configuration) {
    return history.stream()
        .filter(each -> each.step().stage() == Stage.CONFIRMATION)
        .filter(each -> each.configuration().equals(configuration))
        .collect(Collectors.toMap(each -> each.step().block(), Measured::response, (a, b) -> b));
  }

  private static List<Effect> effects(
      TuningSpace space, Surface surface, List<Integer> winner, int trials) {
    List<Effect> effects = new ArrayList<>();
    for (int knob = 0; knob < space.knobs().size(); knob++) {
      int level = winner.get(knob);
      int initial = space.knobs().get(knob).initial();
      Optional<Effect> largest = Optional.empty();
      for (int other = 0; other < space.knobs().get(knob).levels(); other++) {
        if (other != level && (level == initial || other == initial)) {
          Effect effect = effect(surface, winner, knob, other, trials);
          if (largest.isEmpty()
              || Math.abs(Math.log(effect.ratio().value()))
                  > Math.abs(Math.log(largest.get().ratio().value()))) {
            largest = Optional.of(effect);
          }
        }
      }
      largest.ifPresent(effects::add);
    }
    return effects;
  }

  private static Effect effect(
      Surface surface, List<Integer> winner, int knob, int other, int trials) {
    Prediction change =
        surface.response().difference(winner, TuningSpace.with(winner, knob, other));
    double half = TuningSearch.Z * change.sd();
    Estimate difference =
        new Estimate(
            change.mean(),
            change.mean() - half,
            change.mean() + half,
            Estimate.CONFIDENCE,
            trials,
            "");
    return new Effect(knob, winner.get(knob), other, difference.exp());
  }
}
