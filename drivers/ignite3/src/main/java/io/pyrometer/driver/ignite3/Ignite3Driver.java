package io.pyrometer.driver.ignite3;

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

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(
            ChaosSettings.paths(DECLARED::summary, FaultKind.OF_JVMS, ChaosSettings.REGISTERS)));
  }

  @Override
  public RunningServer start(Command.StartServer spec) {
    return Ignite3Server.start(spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return Ignite3Session.open(spec);
  }
}
