package io.pyrometer.experiment.design;

import io.pyrometer.protocol.Settings;
import java.util.List;

/** What is varied, and the levels it takes: at least one, in the order of the file. */
public record Factor(String name, List<Level> levels) {

  public Factor {
    levels = List.copyOf(levels);
  }

  /**
   * A value that a factor takes.
   *
   * @param label unique in its factor; as written in the file
   * @param settings what holds at this level, canonical units
   */
  public record Level(String label, Settings settings) {}
}
