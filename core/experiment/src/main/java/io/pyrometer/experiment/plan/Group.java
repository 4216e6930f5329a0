package io.pyrometer.experiment.plan;

import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The trials of one block that share fresh processes.
 *
 * @param block from 0
 * @param process the settings that the processes are started with: those of scope PROCESS, and
 *     {@code agents}
 * @param trials in the order to be made
 */
public record Group(int block, Settings process, List<TrialSpec> trials) {

  /** This group with each trial replaced, in order. */
  Group with(UnaryOperator<TrialSpec> change) {
    return new Group(block, process, trials.stream().map(change).toList());
  }

  /** The settings that hold for the group's processes, and those of its first trial. */
  public Settings settings() {
    return trials.get(0).settings().with(process);
  }

  /** The name of the driver of all its trials; empty where the settings do not name it. */
  public Optional<String> driver() {
    return process.find(CoreSettings.DRIVER);
  }

  /** The kind of its trials, which is one; empty for load trials. */
  public Optional<TrialKind> kind() {
    return TrialKinds.of(trials.get(0).job());
  }

  /** Seconds that the processes are warmed up for before the first trial, over all its paths. */
  public double commonWarmUp() {
    return trials.stream()
        .mapToDouble(trial -> trial.settings().get(CoreSettings.COMMON_WARM_UP))
        .max()
        .orElse(0);
  }
}
