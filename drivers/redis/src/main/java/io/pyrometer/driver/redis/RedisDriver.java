package io.pyrometer.driver.redis;

import static io.pyrometer.protocol.PathDescription.mix;
import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.NativeProcess;
import io.pyrometer.driver.PathDefinition;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.ServerDescription.MemoryNeed;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Redis or Valkey in cluster mode. Every server of Pyrometer's is one master and, with a backup,
 * one replica of the server before it, so that a server holds what a server of another grid holds:
 * its own part of the keys and a copy of another part.
 */
public final class RedisDriver implements GridDriver {
  static final SettingKey<Integer> BACKUPS =
      SettingKey.integer("backups", Scope.PROCESS, 1, 0, 1)
          .meaning("Replicas of each master.")
          .below("nodes")
          .ofServers();
  static final SettingKey<Long> MEMORY =
      SettingKey.bytes("memory", Scope.PROCESS, 512L << 20, 8.0 * (1 << 20), Long.MAX_VALUE)
          .meaning("Memory of each Redis process for data (maxmemory, without eviction).")
          .ofServers();
  static final SettingKey<String> ACKNOWLEDGED_BY =
      SettingKey.choice("acknowledged-by", Scope.LOAD, "primary", "all")
          .meaning(
              "Whether a write is done when its master has it, or when WAIT says that the"
                  + " replica has it too.");
  static final SettingKey<Boolean> APPEND_ONLY =
      SettingKey.flag("appendonly", Scope.PROCESS, false)
          .meaning("Whether writes are also appended to a file (AOF).")
          .ofServers();
  static final SettingKey<String> APPEND_FSYNC =
      SettingKey.choice("appendfsync", Scope.PROCESS, "everysec", "always", "no")
          .meaning("When this file is flushed to disk: each second, before each reply, or never.")
          .ofServers()
          .needs(APPEND_ONLY.name(), "true")
          .withoutDefault();
  static final SettingKey<Double> NODE_TIMEOUT =
      SettingKey.seconds("cluster-node-timeout", Scope.PROCESS, 2, 0.1, 3_600)
          .meaning("Silence after which a process counts as failed; Redis's default is 15 s.")
          .ofServers();
  private static final List<SettingDescription> SETTINGS =
      SettingKey.descriptions(
          BACKUPS, MEMORY, ACKNOWLEDGED_BY, APPEND_ONLY, APPEND_FSYNC, NODE_TIMEOUT);

  private static final SettingKey<Integer> BATCH = PathSettings.batch(500);
  private static final SettingKey<Integer> IN_FLIGHT = PathSettings.inFlight(100);

  static final List<PathDefinition<RedisTrial.Connection>> PATHS =
      List.of(
          new PathDefinition<>(
              write("set", Guarantee.OF_ONE, "SET of one record.").asPlainest(),
              c -> c.trial().put(c::write)),
          new PathDefinition<>(
              write("set-async", Guarantee.OF_ONE, "SET of single records, pipelined.", IN_FLIGHT),
              RedisTrial.Connection::beginEach),
          new PathDefinition<>(
              write(
                  "set-pipeline",
                  Guarantee.OF_MANY,
                  "SETs of a batch, pipelined to each master.",
                  BATCH),
              RedisTrial.Connection::writeEach),
          new PathDefinition<>(
              read("get", "GET of every key, one after the other.").asPlainest(),
              c -> c.trial().get(c.commands()::get)),
          new PathDefinition<>(
              read("get-pipeline", "GETs of a batch, pipelined to each master.", BATCH),
              RedisTrial.Connection::readEach),
          new PathDefinition<>(
              mix(
                      "mixed",
                      Guarantee.OF_ONE,
                      "GET and SET, one record after the other, or the operations of 'mix'.",
                      PathSettings.mix("get", "put", "remove"))
                  .recordedAs("get", "set")
                  .asPlainest(),
              c -> c.trial().mixed("set", c.commands()::get, c::write).remove(c::remove).open()));

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "redis",
        "Redis or Valkey",
        "as installed",
        "A cluster of masters and replicas, native processes, used through Lettuce.",
        List.of("nodes", DriverDescription.PROPERTIES),
        new ServerDescription(
                true,
                List.of("master", "master's cluster bus", "replica", "replica's cluster bus"),
                30,
                60,
                List.of(new MemoryNeed(MEMORY.name(), 2, 0, Optional.empty())),
                8)
            .storingWithin(MEMORY.name()),
        List.of(),
        SETTINGS,
        Stream.concat(PathDefinition.descriptions(PATHS).stream(), RedisChaos.DESCRIPTIONS.stream())
            .toList(),
        List.of(
            EqualTerm.as("backups", "backups"),
            EqualTerm.when("acknowledged-by", "all", Map.of("acknowledged-by", "all"))
                .but(
                    "WAIT only reports that the replica has a write; nothing takes it back if"
                        + " not."),
            EqualTerm.when("acknowledged-by", "primary", Map.of("acknowledged-by", "primary")),
            EqualTerm.when("durability", "memory", Map.of("appendonly", "off")),
            EqualTerm.when(
                    "durability", "disk", Map.of("appendonly", "on", "appendfsync", "always"))
                .but("WAIT does not wait until the replica has flushed its file."),
            EqualTerm.when("client", "remote", Map.of())
                .but("Each load thread has a connection of its own to every master."),
            EqualTerm.when("encoding", "in-advance", Map.of()),
            EqualTerm.as("heap", "memory")
                .but("There is no heap; each process may hold so much data.")),
        DataFactRules.NONE
            .copies(1, BACKUPS)
            .where(ACKNOWLEDGED_BY, "all", Acknowledgement.ALL)
            .always(Placement.PARTITIONED)
            .always(Acknowledgement.PRIMARY)
            .where(APPEND_ONLY, false, Durability.MEMORY)
            .where(APPEND_FSYNC, "always", Durability.DISK)
            .where(APPEND_FSYNC, "no", Durability.PROCESS_FAILURE)
            // Each second: a reply does not wait for the file while it is being flushed.
            .always(Durability.MEMORY),
        List.of());
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
  public ServerLauncher servers() {
    return RedisServer::start;
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return RedisSession.open(this, spec);
  }
}
