package io.pyrometer.driver.ignite3;

import static io.pyrometer.protocol.PathDescription.mix;
import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.update;
import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PathDefinition;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.DriverDescription.JvmFlags;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.ServerDescription.MemoryNeed;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ignite.internal.properties.IgniteProductVersion;

/** Apache Ignite 3: servers in worker JVMs, a thin client in each agent. */
public final class Ignite3Driver implements GridDriver {
  static final SettingKey<Integer> REPLICAS =
      SettingKey.integer("replicas", Scope.CACHE, 3, 1, 7)
          .meaning(
              "Copies of each partition, the first included; a majority acknowledges a write.");
  static final SettingKey<Integer> PARTITIONS =
      SettingKey.integer("partitions", Scope.CACHE, 25, 1, 1_000)
          .meaning("Partitions of the table's zone.");
  static final SettingKey<String> CONSISTENCY_MODE =
      SettingKey.choice("consistency-mode", Scope.CACHE, "STRONG_CONSISTENCY", "HIGH_AVAILABILITY")
          .meaning(
              "What a partition does without a majority of its replicas: it waits, or goes on and"
                  + " may lose writes.");
  static final SettingKey<Long> REGION =
      SettingKey.bytes("region", Scope.PROCESS, 256L << 20, 64.0 * (1 << 20), Long.MAX_VALUE)
          .meaning("Memory of each server for records (size of the storage profile).")
          .ofServers();
  static final String IN_MEMORY = "aimem";
  static final String ON_DISK = "aipersist";
  static final SettingKey<String> ENGINE =
      SettingKey.choice("engine", Scope.PROCESS, IN_MEMORY, ON_DISK, "rocksdb")
          .meaning("Storage engine of the tables: in memory alone, or on disk.")
          .ofServers();
  static final SettingKey<Boolean> FSYNC =
      SettingKey.flag("raft-fsync", Scope.PROCESS, false)
          .meaning("Whether the Raft log is flushed to disk before a write is acknowledged.")
          .ofServers();

  private static final SettingKey<Integer> BATCH = PathSettings.batch(500);
  private static final SettingKey<Integer> MIX_BATCH = PathSettings.batch(100);
  private static final SettingKey<Integer> IN_FLIGHT = PathSettings.inFlight(100);
  private static final Guarantee UNORDERED = new Guarantee(true, false, true, true);

  /** A page of a partition is sent when the one before it was written. */
  private static final Guarantee STREAMED = new Guarantee(true, true, false, false);

  private static final String MAJORITY =
      "A majority of three replicas acknowledges a write; with two replicas all writes would stop"
          + " when a server is lost.";

  static final List<PathDefinition<TableTrial>> PATHS =
      List.of(
          new PathDefinition<>(
              write("put", Guarantee.OF_ONE, "KeyValueView.put.").asPlainest(),
              trial -> trial.put(trial::write)),
          new PathDefinition<>(
              write("put-async", UNORDERED, "KeyValueView.putAsync.", IN_FLIGHT),
              trial -> trial.putAsync((key, row) -> trial.view.putAsync(null, key, row))),
          new PathDefinition<>(
              write("put-all", Guarantee.OF_MANY, "KeyValueView.putAll of a batch.", BATCH),
              trial -> trial.putAll(trial::load)),
          new PathDefinition<>(
              write(
                  "streamer",
                  STREAMED,
                  "KeyValueView.streamData, one stream for all batches of a thread: a call ends"
                      + " when the streamer has taken its records.",
                  BATCH),
              TableTrial::streamer),
          new PathDefinition<>(
              read("get", "KeyValueView.get of every key, one after the other.").asPlainest(),
              trial -> trial.get(trial::read)),
          new PathDefinition<>(
              read("get-all", "KeyValueView.getAll of the keys in batches.", BATCH),
              trial -> trial.getAll(keys -> trial.view.getAll(null, keys))),
          new PathDefinition<>(
              read("sql-aggregate", "SELECT COUNT(*), MAX(…) over the table."),
              TableTrial::aggregate),
          new PathDefinition<>(
              read(
                  "compute",
                  "A job for each partition on its primary server reads the partition's rows by"
                      + " SQL."),
              TableTrial::compute),
          new PathDefinition<>(
              update(
                      "update-sql",
                      Guarantee.OF_ONE,
                      "UPDATE of one column by key, one record after the other.")
                  .asPlainest(),
              TableTrial::update),
          new PathDefinition<>(
              mix(
                      "mixed",
                      Guarantee.OF_ONE,
                      "KeyValueView.get and put, one after the other, or the operations of"
                          + " 'mix'.",
                      PathSettings.mix("get", "get-all", "put", "put-all", "remove"),
                      MIX_BATCH)
                  .asPlainest(),
              trial ->
                  trial
                      .mixed("put", trial::read, trial::write)
                      .getAll(keys -> trial.view.getAll(null, keys))
                      .putAll(trial::load)
                      .remove(key -> trial.view.remove(null, key))
                      .open()));

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "ignite3",
        "Apache Ignite 3",
        IgniteProductVersion.CURRENT_VERSION.toString(),
        "A cluster of servers, each a JVM of its own, with tables in memory or on disk, used"
            + " through the thin client.",
        List.of("nodes", DriverDescription.ELASTIC, DriverDescription.PROPERTIES),
        new ServerDescription(
                false,
                List.of("nodes", "clients", "REST"),
                80,
                80,
                List.of(new MemoryNeed(REGION.name(), 1, 0, Optional.empty())),
                15)
            .storingWithin(REGION.name(), ENGINE.name()),
        List.of(
            new JvmFlags(
                17,
                Stream.concat(
                        Stream.of(
                                "java.lang",
                                "java.lang.invoke",
                                "java.lang.reflect",
                                "java.io",
                                "java.nio",
                                "java.math",
                                "java.util",
                                "java.time",
                                "jdk.internal.misc",
                                "jdk.internal.access",
                                "sun.nio.ch")
                            .map("--add-opens=java.base/%s=ALL-UNNAMED"::formatted),
                        Stream.of("-Dio.netty.tryReflectionSetAccessible=true"))
                    .toList()),
            new JvmFlags(
                25,
                List.of(
                    "--sun-misc-unsafe-memory-access=allow",
                    "--enable-native-access=ALL-UNNAMED"))),
        SettingKey.descriptions(REPLICAS, PARTITIONS, CONSISTENCY_MODE, REGION, ENGINE, FSYNC),
        Stream.concat(
                PathDefinition.descriptions(PATHS).stream(), Stream.of(Ignite3Chaos.DESCRIPTION))
            .toList(),
        List.of(
            EqualTerm.when("backups", "0", Map.of(REPLICAS.name(), "1")),
            EqualTerm.when("backups", "1", Map.of(REPLICAS.name(), "3")).but(MAJORITY),
            EqualTerm.when("acknowledged-by", "all", Map.of())
                .but("A majority of the replicas acknowledges a write, not all."),
            EqualTerm.when("durability", "memory", Map.of("engine", IN_MEMORY)),
            EqualTerm.when("durability", "disk", Map.of("engine", ON_DISK, "raft-fsync", "on")),
            EqualTerm.when("client", "remote", Map.of()),
            EqualTerm.when("encoding", "each-call", Map.of()),
            EqualTerm.when("encoding", "in-advance", Map.of())
                .but("Ignite 3's client serializes each row in each call."),
            EqualTerm.as("heap", "node-heap").but("Records are stored off-heap.")),
        DataFactRules.NONE
            .copies(0, REPLICAS)
            .always(Placement.PARTITIONED)
            .always(Acknowledgement.MAJORITY)
            .where(ENGINE, IN_MEMORY, Durability.MEMORY)
            .where(FSYNC, true, Durability.DISK)
            .always(Durability.PROCESS_FAILURE),
        List.of());
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
