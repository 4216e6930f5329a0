package io.pyrometer.analysis.tuning;

import java.util.List;

/** A response with a known best, to try a search on. Figures are logarithms. */
interface Landscape {
  TuningSpace space();

  /** The true figure; not a number where the configuration fails. */
  double at(List<Integer> configuration);

  /** The true figure of the best configuration. */
  double best();

  /** A noisy measurement; not a number where the configuration fails. */
  double measure(List<Integer> configuration, int block);
}
