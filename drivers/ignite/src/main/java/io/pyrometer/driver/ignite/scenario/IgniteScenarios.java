package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.UserClass;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.scenario.ScenarioMessages;
import io.pyrometer.scenario.ScenarioSettings;
import java.util.List;
import java.util.Optional;

/** The scenarios of the driver, and the user's own. */
public final class IgniteScenarios {
  /** Handlers are not in the grid. */
  static final String MEMORY = "memory";

  static final SettingKey<String> HANDLER = GridSettings.DECLARED.text("handler");
  static final SettingKey<String> RACE = GridSettings.DECLARED.text("race");
  static final SettingKey<Integer> WRITER_THREADS = GridSettings.DECLARED.integer("writer-threads");

  /** The descriptions of all scenarios. */
  public static final List<PathDescription> DESCRIPTIONS =
      List.of(
          description(
              "async-service",
              HANDLER,
              RACE,
              WRITER_THREADS,
              GridSettings.DECLARED.integer("scenario-backups"),
              GridSettings.DECLARED.flag("scenario-read-from-backup")),
          description(
              ScenarioSettings.OWN_SCENARIO,
              ScenarioSettings.SCENARIO_CLASS,
              ScenarioSettings.STEPS,
              GridSettings.DECLARED.text("scenario-atomicity")));

  private IgniteScenarios() {}

  private static PathDescription description(String name, SettingKey<?>... own) {
    return new PathDescription(
        name,
        ScenarioMessages.JOB,
        !name.equals(ScenarioSettings.OWN_SCENARIO),
        GridSettings.DECLARED.summary(name),
        Optional.empty(),
        ScenarioSettings.with(own));
  }

  /**
   * The scenario that a trial names.
   *
   * @throws GridException if there is none of the name, or the class is none
   */
  public static IgniteScenario of(TrialSpec trial) {
    if (!trial.path().equals(ScenarioSettings.OWN_SCENARIO)) {
      return new AsyncService(trial.settings());
    }
    String name =
        trial
            .settings()
            .find(ScenarioSettings.SCENARIO_CLASS)
            .orElseThrow(
                () ->
                    new GridException(
                        "The path 'own-scenario' names no class: write 'scenario:"
                            + " com.example.Mine'."));
    return UserClass.create(name, IgniteScenario.class, "Scenario");
  }
}
