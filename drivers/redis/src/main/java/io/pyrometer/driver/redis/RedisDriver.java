package io.pyrometer.driver.redis;

import io.pyrometer.chaos.ChaosSettings;
import io.pyrometer.chaos.FaultKind;
import io.pyrometer.driver.Declarations;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.NativeProcess;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Redis or Valkey in cluster mode. Every server of Pyrometer's is one master and, with a backup,
 * one replica of the server before it, so that a server holds what a server of another grid holds:
 * its own part of the keys and a copy of another part.
 */
public final class RedisDriver implements GridDriver {
  static final Declarations DECLARED = Declarations.beside(RedisDriver.class, "as installed");
  static final SettingKey<Integer> BACKUPS = DECLARED.integer("backups");
  static final SettingKey<Long> MEMORY = DECLARED.bytes("memory");
  static final SettingKey<String> ACKNOWLEDGED_BY = DECLARED.text("acknowledged-by");
  static final SettingKey<Boolean> APPEND_ONLY = DECLARED.flag("appendonly");
  static final SettingKey<String> APPEND_FSYNC = DECLARED.text("appendfsync");
  static final SettingKey<Double> NODE_TIMEOUT = DECLARED.seconds("cluster-node-timeout");

  @Override
  public DriverDescription describe() {
    return DECLARED.describe(
        List.of(
            // A process of a cluster does not come back as the one that it was.
            ChaosSettings.paths(
                DECLARED::summary,
                FaultKind.WITHOUT_RESTARTS,
                ChaosSettings.REGISTERS,
                ChaosSettings.COUNTERS)));
  }

  static Optional<Path> program() {
    return NativeProcess.program("redis-server").or(() -> NativeProcess.program("valkey-server"));
  }

  @Override
  public Optional<String> unavailable() {
    return program().isPresent()
        ? Optional.empty()
        : Optional.of(
            "Neither redis-server nor valkey-server is on the PATH; install one, such as by"
                + " 'apt-get install redis-server'.");
  }

  @Override
  public RunningServer start(Command.StartServer spec) {
    return RedisServer.start(spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return RedisSession.open(spec);
  }
}
