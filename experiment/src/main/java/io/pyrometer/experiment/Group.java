package io.pyrometer.experiment;

import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;

/**
 * The trials of one block that share fresh processes.
 *
 * @param block from 0
 * @param process the settings that the processes are started with: those of scope PROCESS, and
 *     {@code agents}
 * @param trials in the order to be made
 */
public record Group(int block, Settings process, List<TrialSpec> trials) {

  public Group {
    trials = List.copyOf(trials);
  }

  /** Seconds that the processes are warmed up for before the first trial, over all its paths. */
  public double commonWarmUp() {
    return trials.stream()
        .mapToDouble(trial -> trial.settings().decimal("common-warm-up"))
        .max()
        .orElse(0);
  }
}
