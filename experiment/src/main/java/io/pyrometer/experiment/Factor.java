package io.pyrometer.experiment;

import java.util.List;

/** What is varied, and the levels it takes: at least one, in the order of the file. */
public record Factor(String name, List<Level> levels) {

  public Factor {
    levels = List.copyOf(levels);
  }
}
