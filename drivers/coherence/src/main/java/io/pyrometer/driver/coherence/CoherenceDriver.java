package io.pyrometer.driver.coherence;

import com.tangosol.net.CacheFactory;
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

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(
            ChaosSettings.paths(
                DECLARED::summary,
                FaultKind.OF_JVMS,
                ChaosSettings.REGISTERS,
                ChaosSettings.COUNTERS)));
  }

  @Override
  public RunningServer start(Command.StartServer spec) {
    return CoherenceMember.start(spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return CoherenceMember.join(spec);
  }
}
