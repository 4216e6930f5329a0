package io.pyrometer.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One step as an experiment file declares it: a call that a class of the user's names, or a pause.
 *
 * @param name of the call; of a pause the whole text
 * @param pause how long it lasts; empty for a call
 */
public record PlannedStep(String name, Optional<RandomTime> pause) {

  /** The form in files, for messages. */
  public static final String FORMS =
      "steps such as [read, pause exponential 20ms, check out]: names of small letters, digits,"
          + " spaces and hyphens, or 'pause' and a random time";

  private static final String PAUSE = "pause";
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*([ -][a-z0-9]+)*");

  /** Reads steps with commas between them; empty if one is none, or there is none. */
  public static Optional<List<PlannedStep>> parse(String text) {
    List<PlannedStep> steps = new ArrayList<>();
    for (String part : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      String step = part.strip();
      if (step.equals(PAUSE) || step.startsWith(PAUSE + " ")) {
        Optional<RandomTime> pause = RandomTime.parse(step.substring(PAUSE.length()));
        if (pause.isEmpty()) {
          return Optional.empty();
        }
        steps.add(new PlannedStep(step, pause));
      } else if (NAME.matcher(step).matches()) {
        steps.add(new PlannedStep(step, Optional.empty()));
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(steps);
  }

  /** The text that {@link #parse} reads. */
  public static String text(List<PlannedStep> steps) {
    return steps.stream().map(PlannedStep::name).collect(Collectors.joining(", "));
  }
}
