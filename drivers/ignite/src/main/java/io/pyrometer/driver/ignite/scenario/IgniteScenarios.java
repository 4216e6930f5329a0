package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.UserClass;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
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

  static final SettingKey<String> HANDLER =
      SettingKey.choice(
              "handler", Scope.LOAD, "lock", "entry-processor", "pessimistic", "optimistic", MEMORY)
          .meaning(
              "How an answer is added to its handler: a lock, get and put; one entry processor; a"
                  + " pessimistic or optimistic (serializable) transaction; or, as a baseline, in"
                  + " the memory of the one service process, without the grid.");
  static final SettingKey<String> RACE =
      SettingKey.choice("race", Scope.LOAD, "handled", "as-published")
          .meaning(
              "Whether the handler is in the cache before the mock is asked, or is written after it"
                  + " by the writers, so that an early answer finds none and is lost.");
  static final SettingKey<Integer> WRITER_THREADS =
      SettingKey.integer("writer-threads", Scope.LOAD, 10, 1, 1_024)
          .meaning("Threads of each service process that write handlers to the cache.");

  private static final SettingKey<String> TRANSACTIONAL =
      SettingKey.choice("atomicity", Scope.CACHE, "TRANSACTIONAL", "ATOMIC")
          .meaning("Whether the cache supports transactions.");
  private static final SettingKey<Integer> NO_BACKUPS =
      SettingKey.integer("backups", Scope.CACHE, 0, 0, 4)
          .meaning("Number of backup copies of a record.")
          .below("nodes");
  private static final SettingKey<Boolean> FROM_PRIMARY =
      SettingKey.flag("read-from-backup", Scope.CACHE, false)
          .meaning("Whether reads may be answered by a node with a backup copy.");

  /** The descriptions of all scenarios. */
  public static final List<PathDescription> DESCRIPTIONS =
      List.of(
          new PathDescription(
              "async-service",
              ScenarioMessages.JOB,
              true,
              "A service that keeps a handler for each request in the cache while a remote service"
                  + " answers.",
              Optional.empty(),
              ScenarioSettings.with(HANDLER, RACE, WRITER_THREADS, NO_BACKUPS, FROM_PRIMARY)),
          new PathDescription(
              ScenarioSettings.OWN_SCENARIO,
              ScenarioMessages.JOB,
              false,
              "A scenario of your own: a class that implements IgniteScenario, named as 'scenario'.",
              Optional.empty(),
              ScenarioSettings.with(
                  ScenarioSettings.SCENARIO_CLASS, ScenarioSettings.STEPS, TRANSACTIONAL)));

  private IgniteScenarios() {}

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
                        "The path 'own-scenario' names no class: write 'scenario: com.example.Mine'."));
    return UserClass.create(name, IgniteScenario.class, "scenario");
  }
}
