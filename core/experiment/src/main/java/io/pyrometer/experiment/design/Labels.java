package io.pyrometer.experiment.design;

import io.pyrometer.protocol.TrialSpec;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names of treatments. */
public final class Labels {
  /** A number with or without its unit, or a switch: it says nothing without its factor. */
  private static final Pattern BARE =
      Pattern.compile("-?[0-9][0-9.,_]* ?[a-zA-Zµ%]{0,4}|on|off|true|false");

  private Labels() {}

  /**
   * Its levels in words; those that are bare values are told with their factor.
   *
   * @param levels by factor, in the order of the experiment
   * @param otherwise what it is called where no factor has a level of its own
   */
  public static String of(Map<String, String> levels, String otherwise) {
    String words =
        levels.entrySet().stream()
            .filter(level -> !level.getValue().equals(Treatments.AS_IN_CASE))
            .map(level -> of(level.getKey(), level.getValue()))
            .collect(Collectors.joining(" · "));
    return words.isEmpty() ? otherwise : words;
  }

  /** The name of the treatment of a planned trial. */
  public static String of(TrialSpec trial) {
    return trial.label().orElseGet(() -> of(trial.levels(), trial.path()));
  }

  private static String of(String factor, String level) {
    return BARE.matcher(level).matches() ? factor + " " + level : level;
  }
}
