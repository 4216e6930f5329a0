package io.pyrometer.experiment.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Figures that others published of an experiment's treatments.
 *
 * @param source where they stand
 */
public record Published(String source, List<Figure> figures) {

  /**
   * One treatment's figure.
   *
   * @param levels all of the treatment, by factor
   * @param rate records a second
   * @param why what is known to part it from a figure of one's own, a clause
   */
  public record Figure(Map<String, String> levels, double rate, Optional<String> why) {}

  /** The figure of a treatment; empty if none was published. */
  public Optional<Figure> of(Map<String, String> levels) {
    return figures.stream().filter(figure -> figure.levels().equals(levels)).findFirst();
  }
}
