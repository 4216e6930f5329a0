package io.pyrometer.experiment;

import java.util.List;
import java.util.Optional;

/**
 * What a command line changes in an experiment.
 *
 * @param quick one block, and shorter warm-up and measurement
 * @param blocks how many blocks; goes before {@code quick}
 * @param set each {@code name=value,…}: the levels to keep of a factor (or others of its setting),
 *     or the value of a setting
 */
public record Overrides(
    boolean quick, Optional<Integer> blocks, Optional<Long> seed, List<String> set) {

  public static final Overrides NONE =
      new Overrides(false, Optional.empty(), Optional.empty(), List.of());

  public Overrides {
    set = List.copyOf(set);
  }
}
