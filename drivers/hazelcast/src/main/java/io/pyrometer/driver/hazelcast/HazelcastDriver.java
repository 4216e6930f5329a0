package io.pyrometer.driver.hazelcast;

import com.hazelcast.instance.BuildInfoProvider;
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

/** Hazelcast, community edition: servers in worker JVMs, a client in each agent. */
public final class HazelcastDriver implements GridDriver {
  static final Declarations DECLARED =
      Declarations.beside(HazelcastDriver.class, BuildInfoProvider.getBuildInfo().getVersion());
  static final SettingKey<Integer> BACKUPS = DECLARED.integer("backups");
  static final SettingKey<Integer> ASYNC_BACKUPS = DECLARED.integer("async-backups");
  static final SettingKey<Integer> PARTITIONS = DECLARED.integer("partitions");
  static final SettingKey<Boolean> FAIL_ON_INDETERMINATE = DECLARED.flag("fail-on-indeterminate");

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(
            ChaosSettings.paths(
                DECLARED::summary,
                FaultKind.OF_JVMS,
                ChaosSettings.REGISTERS,
                ChaosSettings.COUNTERS),
            HazelcastCaches.DESCRIPTIONS));
  }

  @Override
  public RunningServer start(Command.StartServer spec) {
    return Member.start(spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return HazelcastSession.open(spec);
  }
}
