package io.pyrometer.scenario;

import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Trials in which requests pass through several processes, which keep their state in the grid. */
public final class ScenarioKind implements TrialKind {
  /** The records of scenarios, which define their own. */
  public static final RecordShape RECORD = new RecordShape("scenario", Optional.empty(), List.of());

  private static final double TRIAL_SECONDS = 0.7;

  @Override
  public Job job() {
    return ScenarioMessages.JOB;
  }

  @Override
  public String key() {
    return "scenario";
  }

  @Override
  public String description() {
    return "Instead of a record and a path: a scenario of the driver, or a class of your own that is"
        + " one.";
  }

  /** The class of a scenario of the user's own. */
  @Override
  public Optional<Settings> settings(String value, Collection<String> paths) {
    return value.contains(".") && paths.contains(ScenarioSettings.OWN_SCENARIO)
        ? Optional.of(
            Settings.NONE
                .with(CoreSettings.PATH, ScenarioSettings.OWN_SCENARIO)
                .with(ScenarioSettings.SCENARIO_CLASS, value))
        : Optional.empty();
  }

  @Override
  public RecordShape record() {
    return RECORD;
  }

  @Override
  public Settings derive(Settings complete) {
    return complete.with(CoreSettings.AGENTS.name(), (long) ScenarioRole.agents(complete));
  }

  @Override
  public double seconds(TrialSpec trial) {
    return TRIAL_SECONDS
        + trial.settings().get(CoreSettings.WARM_UP)
        + trial.settings().get(CoreSettings.MEASURE);
  }

  /**
   * Returns whether an agent uses the grid; of a scenario's processes only those of the service do.
   */
  @Override
  public boolean usesGrid(int agent, Settings settings) {
    return ScenarioRole.of(agent, settings) == ScenarioRole.SERVICE;
  }
}
