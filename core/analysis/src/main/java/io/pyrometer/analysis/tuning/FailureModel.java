package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Why configurations fail: each pair of levels of two knobs, and each level alone, is a cause with
 * a chance of its own, independently of the others (a noisy or: Pearl 1988, Probabilistic reasoning
 * in intelligent systems, section 4.3.2), because most failures of software are caused by one or
 * two settings (Kuhn, Wallace and Gallo 2004, Software fault interactions and implications for
 * software testing). What works clears all its pairs, and what one pair explains does not count
 * against the others. Chances are estimated by the EM algorithm, with a beta prior.
 */
final class FailureModel {
  /** The prior: so many failures of a pair of levels, and so many trials that worked. */
  private static final double FAILED = 0.002;

  private static final double WORKED = 0.2;

  private static final int ITERATIONS = 60;

  private final TuningSpace space;

  /** For each knob, the number of the knobs' levels before it, and in all. */
  private final int[] start;

  private final double[] chance;

  /** Empty where nothing failed. */
  static Optional<FailureModel> of(TuningSpace space, List<Measured> history) {
    List<Boolean> failed = history.stream().map(each -> each.response().isEmpty()).toList();
    return failed.contains(true)
        ? Optional.of(
            new FailureModel(
                space, history.stream().map(each -> each.step().configuration()).toList(), failed))
        : Optional.empty();
  }

  /**
   * @param at configurations that were tried
   * @param failed whether they failed
   */
  FailureModel(TuningSpace space, List<List<Integer>> at, List<Boolean> failed) {
    this.space = space;
    int knobs = space.knobs().size();
    this.start = new int[knobs + 1];
    for (int knob = 0; knob < knobs; knob++) {
      start[knob + 1] = start[knob] + space.knobs().get(knob).levels() + 1;
    }
    this.chance = new double[start[knobs] * start[knobs]];
    Arrays.fill(chance, FAILED / (FAILED + WORKED));
    int[][] pairs = at.stream().map(this::pairs).toArray(int[][]::new);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      improve(pairs, failed);
    }
  }

  private int[] pairs(List<Integer> configuration) {
    int[] levels = space.effective(configuration);
    int[] pairs = new int[levels.length * (levels.length + 1) / 2];
    int next = 0;
    for (int a = 0; a < levels.length; a++) {
      for (int b = 0; b <= a; b++) {
        pairs[next++] = (start[a] + levels[a]) * start[levels.length] + start[b] + levels[b];
      }
    }
    return pairs;
  }

  private void improve(int[][] pairs, List<Boolean> failed) {
    double[] blamed = new double[chance.length];
    double[] trials = new double[chance.length];
    for (int i = 0; i < pairs.length; i++) {
      double fails = 1 - works(pairs[i]);
      for (int pair : pairs[i]) {
        trials[pair]++;
        blamed[pair] += failed.get(i) ? chance[pair] / fails : 0;
      }
    }
    for (int pair = 0; pair < chance.length; pair++) {
      chance[pair] = (blamed[pair] + FAILED) / (trials[pair] + FAILED + WORKED);
    }
  }

  private double works(int[] pairs) {
    double works = 1;
    for (int pair : pairs) {
      works *= 1 - chance[pair];
    }
    return works;
  }

  /** The chance that a configuration works. */
  double works(List<Integer> configuration) {
    return works(pairs(configuration));
  }

  /** Which configurations work, if each pair is a cause or none, as drawn. */
  Predicate<List<Integer>> draw(Random random) {
    boolean[] causes = new boolean[chance.length];
    for (int pair = 0; pair < chance.length; pair++) {
      causes[pair] = random.nextDouble() < chance[pair];
    }
    return configuration -> Arrays.stream(pairs(configuration)).noneMatch(pair -> causes[pair]);
  }
}
