package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import io.pyrometer.analysis.tuning.TuningSearch.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * One search whose best is known.
 *
 * @param cells that were measured, each counted once however often it was repeated
 * @param regret how far the winner's true figure is below the best, as a share
 * @param randomRegret the same of random search with as many trials
 * @param gain that was reported
 * @param truth the true gain
 * @param possible by how much the best may be better than the winner, as the search says; infinite
 *     where it says nothing
 */
record SimulatedSearch(
    int trials,
    long cells,
    double regret,
    double randomRegret,
    Optional<Estimate> gain,
    double truth,
    double possible) {
  /** Random search measures in a block of its own. */
  private static final int RANDOM_BLOCK = -1;

  /** True where the search states a bound. */
  boolean bounded() {
    return Double.isFinite(possible);
  }

  /** True where the best is no better than the search says it may be. */
  boolean withinBound() {
    return 1 / (1 - regret) <= 1 + possible + 1e-9;
  }

  /** True where the reported interval holds the truth. */
  boolean covered() {
    return gain.filter(estimate -> estimate.contains(truth)).isPresent();
  }

  /** How much less than was reported the winner gains where it is deployed, as a share. */
  double loss() {
    return gain.map(estimate -> 1 - truth / estimate.value()).orElse(0.0);
  }

  static SimulatedSearch of(Landscape landscape, int most, long seed) {
    TuningSearch search = new TuningSearch(landscape.space(), seed, most);
    List<Measured> history =
        run(search, 0, step -> landscape.measure(step.configuration(), step.block()));
    List<Integer> initial = landscape.space().initial();
    Optional<TuningOutcome> outcome = TuningOutcome.of(search, history);
    List<Integer> winner = outcome.map(o -> o.contenders().get(1)).orElse(initial);
    double best = landscape.best();
    return new SimulatedSearch(
        history.size(),
        history.stream().map(each -> each.configuration()).distinct().count(),
        1 - Math.exp(landscape.at(winner) - best),
        1 - Math.exp(landscape.at(atRandom(landscape, most, new Random(seed))) - best),
        outcome.flatMap(o -> o.gains().get(0)),
        Math.exp(landscape.at(winner) - landscape.at(initial)),
        outcome.isPresent() && outcome.get().possible().isPresent()
            ? outcome.get().possible().getAsDouble() - 1
            : Double.POSITIVE_INFINITY);
  }

  /** Runs a search to its end; a measurement that is not a number is a failed trial. */
  static List<Measured> run(TuningSearch search, int repeats, ToDoubleFunction<Step> measure) {
    List<Measured> history = new ArrayList<>();
    for (Optional<Step> step = search.next(history, repeats);
        step.isPresent();
        step = search.next(history, repeats)) {
      double seen = measure.applyAsDouble(step.get());
      history.add(
          new Measured(
              step.get(), Double.isNaN(seen) ? OptionalDouble.empty() : OptionalDouble.of(seen)));
    }
    return history;
  }

  /** The best of random configurations, each measured once. */
  private static List<Integer> atRandom(Landscape landscape, int trials, Random random) {
    TuningSpace space = landscape.space();
    double highest = Double.NEGATIVE_INFINITY;
    List<Integer> found = space.initial();
    for (int i = 0; i < trials; i++) {
      List<Integer> drawn =
          space.canonical(
              space.knobs().stream().map(knob -> random.nextInt(knob.levels())).toList());
      double seen = landscape.measure(drawn, RANDOM_BLOCK);
      if (seen > highest) {
        highest = seen;
        found = drawn;
      }
    }
    return found;
  }
}
