package io.pyrometer.experiment.design;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;

/**
 * A factor and its levels: at least one, in the order of the file.
 *
 * @param role in recommendations; empty where the settings that it varies decide
 */
public record Factor(String name, List<Level> levels, Optional<Role> role) {

  /** Checks whether a recommendation may name a level, or is made for each level. */
  public enum Role {
    @JsonProperty("choice")
    CHOICE,
    @JsonProperty("condition")
    CONDITION
  }

  public Factor with(List<Level> others) {
    return new Factor(name, others, role);
  }

  /**
   * A value that a factor takes.
   *
   * @param label unique in its factor; as written in the file
   * @param settings what holds at this level, canonical units
   */
  public record Level(String label, Settings settings) {

    /** Checks whether all levels, of which there are some, give a setting. */
    public static boolean allSet(List<Level> levels, String setting) {
      return !levels.isEmpty() && levels.stream().allMatch(level -> level.settings().has(setting));
    }
  }
}
