package io.pyrometer.driver.hazelcast;

import com.hazelcast.instance.BuildInfoProvider;
import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PathDefinition;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import java.util.List;

/** Hazelcast, community edition: servers in worker JVMs, a client in each agent. */
public final class HazelcastDriver implements GridDriver {
  static final Declarations DECLARED =
      Declarations.beside(HazelcastDriver.class, BuildInfoProvider.getBuildInfo().getVersion());
  static final SettingKey<Integer> BACKUPS = DECLARED.integer("backups");
  static final SettingKey<Integer> ASYNC_BACKUPS = DECLARED.integer("async-backups");
  static final SettingKey<Integer> PARTITIONS = DECLARED.integer("partitions");
  static final SettingKey<Boolean> FAIL_ON_INDETERMINATE = DECLARED.flag("fail-on-indeterminate");

  static final List<PathDefinition<HazelcastTrial>> PATHS =
      List.of(
          DECLARED.path("set", trial -> trial.put(trial.map::set)),
          DECLARED.path("put", trial -> trial.put(trial.map::put)),
          DECLARED.path("set-async", trial -> trial.putAsync(trial.map::setAsync)),
          DECLARED.path("put-all", trial -> trial.putAll(trial.map::putAll)),
          DECLARED.path("set-all", trial -> trial.putAll(trial.map::setAll)),
          DECLARED.path("get", trial -> trial.get(trial.map::get)),
          DECLARED.path("get-all", trial -> trial.getAll(trial.map::getAll)),
          DECLARED.path("aggregate", HazelcastTrial::aggregate),
          DECLARED.path("update-processor", HazelcastTrial::update),
          DECLARED.path(
              "mixed",
              trial ->
                  trial
                      .mixed("set", trial.map::get, trial.map::set)
                      .getAll(trial.map::getAll)
                      .putAll(trial.map::setAll)
                      .remove(trial.map::delete)
                      .open()));

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(
            PathDefinition.descriptions(PATHS),
            HazelcastChaos.DESCRIPTIONS,
            HazelcastCaches.DESCRIPTIONS));
  }

  @Override
  public ServerLauncher servers() {
    return Member::start;
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return HazelcastSession.open(this, spec);
  }
}
