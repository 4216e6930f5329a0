package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import io.pyrometer.analysis.tuning.TuningSearch.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * One search on a made-up surface.
 *
 * @param regret how far the winner's true figure is below the best, as a share
 * @param randomRegret the same of random search with as many trials
 * @param gain that was reported
 * @param truth the true gain
 * @param withinBound whether the best is no better than the search says it may be
 */
record SimulatedSearch(
    int trials,
    double regret,
    double randomRegret,
    Optional<Estimate> gain,
    double truth,
    boolean withinBound) {

  /** Whether the reported interval holds the truth. */
  boolean covered() {
    return gain.filter(estimate -> estimate.contains(truth)).isPresent();
  }

  /** How much less than was reported the winner gains where it is deployed, as a share. */
  double loss() {
    return gain.map(estimate -> 1 - truth / estimate.value()).orElse(0.0);
  }

  /**
   * @param noise standard deviation of a trial; that of a block is half as large
   */
  static SimulatedSearch of(SimulatedSurface.Family family, double noise, int most, long seed) {
    Random random = new Random(seed);
    SimulatedSurface surface = family.draw(random);
    TuningSearch search = new TuningSearch(surface.space(), seed, most);
    Map<Integer, Double> blocks = new HashMap<>();
    List<Measured> history = new ArrayList<>();
    for (Optional<Step> step = search.next(history);
        step.isPresent();
        step = search.next(history)) {
      Step made = step.get();
      double block = blocks.computeIfAbsent(made.block(), b -> noise / 2 * random.nextGaussian());
      double truth = surface.at(made.configuration());
      history.add(
          new Measured(
              made,
              Double.isNaN(truth)
                  ? OptionalDouble.empty()
                  : OptionalDouble.of(truth + block + noise * random.nextGaussian())));
    }
    TuningOutcome outcome = TuningOutcome.of(search, history).orElseThrow();
    double initial = surface.at(outcome.contenders().get(0));
    double winner = surface.at(outcome.contenders().get(1));
    return new SimulatedSearch(
        history.size(),
        1 - Math.exp(winner - surface.best()),
        1 - Math.exp(atRandom(surface, noise, most, random) - surface.best()),
        outcome.gains().get(0),
        Math.exp(winner - initial),
        Math.exp(surface.best() - winner) <= outcome.possible() + 1e-9);
  }

  /** The truth of the best of random configurations, each measured once. */
  private static double atRandom(
      SimulatedSurface surface, double noise, int trials, Random random) {
    TuningSpace space = surface.space();
    double highest = Double.NEGATIVE_INFINITY;
    double truth = surface.at(space.initial());
    for (int i = 0; i < trials; i++) {
      List<Integer> drawn =
          space.canonical(
              space.knobs().stream().map(knob -> random.nextInt(knob.levels())).toList());
      double there = surface.at(drawn);
      double seen = there + noise * random.nextGaussian();
      if (seen > highest) {
        highest = seen;
        truth = there;
      }
    }
    return truth;
  }
}
