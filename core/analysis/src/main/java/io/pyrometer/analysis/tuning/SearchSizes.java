package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.BadDataException;
import java.util.stream.IntStream;

/**
 * How many trials each stage has.
 *
 * @param race of the first round, which is halved until two are left
 * @param blocks of the confirmation, each of three trials
 */
public record SearchSizes(int design, int spread, int search, int race, int blocks) {
  static final int LEAST_BLOCKS = 4;
  static final int MOST_BLOCKS = 8;

  /**
   * Divides a number of trials among the stages.
   *
   * @throws BadDataException if they are too few for the knobs
   */
  static SearchSizes of(TuningSpace space, int trials) {
    int knobs = space.knobs().size();
    SearchSizes sizes =
        of(knobs, space.knobs().stream().anyMatch(knob -> knob.levels() > 2), trials);
    if (sizes.search() < 0) {
      throw BadDataException.of(
          "%d trials are too few to tune %d settings; give a larger budget or name fewer settings.",
          trials, knobs);
    }
    return sizes;
  }

  /**
   * The least number of trials for so many knobs; with more than four of them the search has at
   * least one for each.
   *
   * @param interior whether any has more than two levels
   */
  public static int least(int knobs, boolean interior) {
    int search = knobs > 4 ? knobs : 0;
    int trials = 0;
    while (of(knobs, interior, trials).search() < search) {
      trials++;
    }
    return trials;
  }

  /** Sizes for so many trials; that of the search is negative where the trials are too few. */
  private static SearchSizes of(int knobs, boolean interior, int trials) {
    int design = 2;
    while (design / 2 < knobs) {
      design *= 2;
    }
    int spread = interior ? Math.min(12, Math.max(2, knobs)) : 0;
    int blocks = Math.max(LEAST_BLOCKS, Math.min(MOST_BLOCKS, trials / 16));
    int race = Math.max(2, Math.min(6, trials / 20));
    int left = trials - 1 - design - spread - rounds(race).sum() - 3 * blocks;
    return new SearchSizes(design, spread, left, race, blocks);
  }

  int rounds() {
    return (int) rounds(race).count();
  }

  /** The number of trials of each round. */
  private static IntStream rounds(int first) {
    return IntStream.iterate(first, round -> round >= 2, round -> round / 2);
  }
}
