package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PathDefinition;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import org.infinispan.commons.util.Version;

/**
 * Infinispan: servers that embed it with the Hot Rod endpoint in worker JVMs. An agent is a Hot Rod
 * client, and for the embedded paths a member of the cluster that holds no data.
 */
public final class InfinispanDriver implements GridDriver {
  static final Declarations DECLARED =
      Declarations.beside(InfinispanDriver.class, Version.getVersion());
  static final SettingKey<Integer> BACKUPS = DECLARED.integer("backups");
  static final SettingKey<String> MODE = DECLARED.text("mode");
  static final SettingKey<String> STORAGE = DECLARED.text("storage");

  static final List<PathDefinition<InfinispanTrial>> PATHS =
      List.of(
          DECLARED.path("put", trial -> trial.put(trial.cache::put)),
          DECLARED.path("put-async", trial -> trial.putAsync(trial.cache::putAsync)),
          DECLARED.path("put-all", trial -> trial.putAll(trial.cache::putAll)),
          DECLARED.path("get", trial -> trial.get(trial.cache::get)),
          DECLARED.path("get-all", trial -> trial.getAll(trial.cache::getAll)),
          DECLARED.path(
              "mixed",
              trial ->
                  trial
                      .mixed("put", trial.cache::get, trial.cache::put)
                      .putAll(trial.cache::putAll)
                      .remove(trial.cache::remove)
                      .open()),
          DECLARED.path("embedded-put", trial -> trial.put(trial.blind()::put)),
          DECLARED.path("embedded-put-all", trial -> trial.putAll(trial.blind()::putAll)),
          DECLARED.path("embedded-get", trial -> trial.get(trial.embedded()::get)),
          DECLARED.path("embedded-get-all", trial -> trial.getAll(trial.embedded()::getAll)),
          DECLARED.path("stream", InfinispanTrial::stream));

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(PathDefinition.descriptions(PATHS), List.of(InfinispanChaos.DESCRIPTION)));
  }

  @Override
  public ServerLauncher servers() {
    return InfinispanMember::serve;
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return InfinispanSession.open(this, spec);
  }
}
