package io.pyrometer.driver.coherence;

import com.tangosol.net.CacheFactory;
import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PathDefinition;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;

/**
 * Oracle Coherence, community edition: servers are members that store data, in worker JVMs; an
 * agent is a member that stores none.
 */
public final class CoherenceDriver implements GridDriver {
  static final Declarations DECLARED =
      Declarations.beside(CoherenceDriver.class, CacheFactory.VERSION);
  static final SettingKey<Integer> BACKUPS = DECLARED.integer("backups");
  static final SettingKey<Integer> PARTITIONS = DECLARED.integer("partitions");
  static final SettingKey<Boolean> ASYNC_BACKUP = DECLARED.flag("async-backup");
  static final SettingKey<String> PERSISTENCE = DECLARED.text("persistence-mode");
  static final SettingKey<String> PROFILE = DECLARED.text("cache-profile");

  static final List<PathDefinition<CoherenceTrial>> PATHS =
      List.of(
          DECLARED.path("put-all-of-one", trial -> trial.put(trial::write)),
          DECLARED.path("put", trial -> trial.put(trial.map::put)),
          DECLARED.path(
              "put-async",
              trial ->
                  trial.putAsync((key, value) -> trial.map.async().putAll(Map.of(key, value)))),
          DECLARED.path("put-all", trial -> trial.putAll(trial.map::putAll)),
          DECLARED.path("get", trial -> trial.get(trial.map::get)),
          DECLARED.path("get-all", trial -> trial.getAll(trial.map::getAll)),
          DECLARED.path("aggregate", CoherenceTrial::aggregate),
          DECLARED.path(
              "mixed",
              trial ->
                  trial
                      .mixed("put", trial.map::get, trial::write)
                      .getAll(trial.map::getAll)
                      .putAll(trial.map::putAll)
                      .remove(trial.map::remove)
                      .open()));

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(PathDefinition.descriptions(PATHS), CoherenceChaos.DESCRIPTIONS));
  }

  @Override
  public ServerLauncher servers() {
    return spec -> CoherenceMember.start(this, spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return CoherenceMember.join(this, spec);
  }
}
