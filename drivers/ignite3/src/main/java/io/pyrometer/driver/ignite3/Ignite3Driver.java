package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PathDefinition;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import org.apache.ignite.internal.properties.IgniteProductVersion;

/** Apache Ignite 3: servers in worker JVMs, a thin client in each agent. */
public final class Ignite3Driver implements GridDriver {
  static final Declarations DECLARED =
      Declarations.beside(Ignite3Driver.class, IgniteProductVersion.CURRENT_VERSION.toString());
  static final SettingKey<Integer> REPLICAS = DECLARED.integer("replicas");
  static final SettingKey<Integer> PARTITIONS = DECLARED.integer("partitions");
  static final SettingKey<String> CONSISTENCY_MODE = DECLARED.text("consistency-mode");
  static final SettingKey<Long> REGION = DECLARED.bytes("region");
  static final String IN_MEMORY = "aimem";
  static final SettingKey<String> ENGINE = DECLARED.text("engine");
  static final SettingKey<Boolean> FSYNC = DECLARED.flag("raft-fsync");

  static final List<PathDefinition<TableTrial>> PATHS =
      List.of(
          DECLARED.path("put", trial -> trial.put(trial::write)),
          DECLARED.path(
              "put-async",
              trial -> trial.putAsync((key, row) -> trial.view.putAsync(null, key, row))),
          DECLARED.path("put-all", trial -> trial.putAll(trial::load)),
          DECLARED.path("streamer", TableTrial::streamer),
          DECLARED.path("get", trial -> trial.get(trial::read)),
          DECLARED.path("get-all", trial -> trial.getAll(keys -> trial.view.getAll(null, keys))),
          DECLARED.path("sql-aggregate", TableTrial::aggregate),
          DECLARED.path("compute", TableTrial::compute),
          DECLARED.path("update-sql", TableTrial::update),
          DECLARED.path(
              "mixed",
              trial ->
                  trial
                      .mixed("put", trial::read, trial::write)
                      .getAll(keys -> trial.view.getAll(null, keys))
                      .putAll(trial::load)
                      .remove(key -> trial.view.remove(null, key))
                      .open()));

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(PathDefinition.descriptions(PATHS), List.of(Ignite3Chaos.DESCRIPTION)));
  }

  @Override
  public ServerLauncher servers() {
    return Ignite3Server::start;
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return Ignite3Session.open(this, spec);
  }
}
