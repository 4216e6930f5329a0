package io.pyrometer.driver.infinispan;

import io.pyrometer.chaos.ChaosSettings;
import io.pyrometer.chaos.FaultKind;
import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.RunningServer;
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

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(
            ChaosSettings.paths(DECLARED::summary, FaultKind.OF_JVMS, ChaosSettings.REGISTERS)));
  }

  @Override
  public RunningServer start(Command.StartServer spec) {
    return InfinispanMember.serve(spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return InfinispanSession.open(spec);
  }
}
