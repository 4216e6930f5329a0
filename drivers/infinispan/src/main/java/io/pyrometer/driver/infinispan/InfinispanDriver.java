package io.pyrometer.driver.infinispan;

import static io.pyrometer.protocol.PathDescription.mix;
import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PathDefinition;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DataFacts.Reads;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.DriverDescription.JvmFlags;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.infinispan.commons.util.Version;

/**
 * Infinispan: servers that embed it with the Hot Rod endpoint in worker JVMs. An agent is a Hot Rod
 * client, and for the embedded paths a member of the cluster that holds no data.
 */
public final class InfinispanDriver implements GridDriver {
  static final SettingKey<Integer> BACKUPS =
      SettingKey.integer("backups", Scope.CACHE, 1, 0, 6)
          .meaning("Backup copies (owners less one), which a write waits for with SYNC.")
          .below("nodes");
  static final SettingKey<Integer> SEGMENTS =
      SettingKey.integer("segments", Scope.CACHE, 256, 1, 10_000)
          .meaning("Segments that the keys fall into.");
  static final SettingKey<String> ROUTING =
      SettingKey.choice("routing", Scope.PROCESS, "hash-distribution-aware", "topology-aware")
          .meaning("Whether a Hot Rod client asks the server that holds a key, or all in turn.");
  static final SettingKey<String> MODE =
      SettingKey.choice("mode", Scope.CACHE, "SYNC", "ASYNC")
          .meaning("Whether a write waits for the servers that own the record.");
  static final SettingKey<String> STORAGE =
      SettingKey.choice("storage", Scope.CACHE, "HEAP", "OFF_HEAP")
          .meaning("Where a server keeps keys and values.");

  private static final SettingKey<Integer> BATCH = PathSettings.batch(1_000);
  private static final SettingKey<Integer> MIX_BATCH = PathSettings.batch(100);
  private static final SettingKey<Integer> IN_FLIGHT = PathSettings.inFlight(100);
  private static final Guarantee UNORDERED = new Guarantee(true, false, true, true);

  static final List<PathDefinition<InfinispanTrial>> PATHS =
      List.of(
          new PathDefinition<>(
              write(
                      "put",
                      Guarantee.OF_ONE,
                      "RemoteCache.put, which does not return the old value.")
                  .asPlainest(),
              trial -> trial.put(trial.cache::put)),
          new PathDefinition<>(
              write("put-async", UNORDERED, "RemoteCache.putAsync.", IN_FLIGHT),
              trial -> trial.putAsync(trial.cache::putAsync)),
          new PathDefinition<>(
              write("put-all", Guarantee.OF_MANY, "RemoteCache.putAll of a batch.", BATCH),
              trial -> trial.putAll(trial.cache::putAll)),
          new PathDefinition<>(
              read("get", "RemoteCache.get of every key, one after the other.").asPlainest(),
              trial -> trial.get(trial.cache::get)),
          new PathDefinition<>(
              read("get-all", "RemoteCache.getAll of the keys in batches.", BATCH),
              trial -> trial.getAll(trial.cache::getAll)),
          new PathDefinition<>(
              mix(
                      "mixed",
                      Guarantee.OF_ONE,
                      "RemoteCache.get and put, one after the other, or the operations of 'mix'.",
                      PathSettings.mix("get", "put", "put-all", "remove"),
                      MIX_BATCH)
                  .asPlainest(),
              trial ->
                  trial
                      .mixed("put", trial.cache::get, trial.cache::put)
                      .putAll(trial.cache::putAll)
                      .remove(trial.cache::remove)
                      .open()),
          new PathDefinition<>(
              write(
                  "embedded-put",
                  Guarantee.OF_ONE,
                  "Cache.put on a member without data, which does not return the old value."),
              trial -> trial.put(trial.blind()::put)),
          new PathDefinition<>(
              write(
                  "embedded-put-all",
                  Guarantee.OF_MANY,
                  "Cache.putAll of a batch on a member without data.",
                  BATCH),
              trial -> trial.putAll(trial.blind()::putAll)),
          new PathDefinition<>(
              read("embedded-get", "Cache.get on a member without data."),
              trial -> trial.get(trial.embedded()::get)),
          new PathDefinition<>(
              read(
                  "embedded-get-all",
                  "AdvancedCache.getAll of the keys in batches on a member without data.",
                  BATCH),
              trial -> trial.getAll(trial.embedded()::getAll)),
          new PathDefinition<>(
              read("stream", "A distributed stream: every server goes through its own segments."),
              InfinispanTrial::stream));

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "infinispan",
        "Infinispan",
        Version.getVersion(),
        "A cluster of servers, each a JVM of its own, used through Hot Rod or by a member without"
            + " data.",
        List.of("nodes", DriverDescription.ELASTIC, DriverDescription.PROPERTIES),
        new ServerDescription(false, List.of("members", "Hot Rod"), 60, 60, List.of(), 4)
            .storingWithin(CoreSettings.NODE_HEAP.name(), STORAGE.name()),
        List.of(
            new JvmFlags(
                25,
                List.of(
                    "--sun-misc-unsafe-memory-access=allow",
                    "--enable-native-access=ALL-UNNAMED"))),
        SettingKey.descriptions(BACKUPS, SEGMENTS, ROUTING, MODE, STORAGE),
        Stream.concat(
                PathDefinition.descriptions(PATHS).stream(), Stream.of(InfinispanChaos.DESCRIPTION))
            .toList(),
        List.of(
            EqualTerm.as("backups", "backups"),
            EqualTerm.when("acknowledged-by", "all", Map.of("mode", "SYNC")),
            EqualTerm.when("durability", "memory", Map.of()),
            EqualTerm.when("client", "remote", Map.of())
                .butNot(
                    "(?!embedded-|stream).*",
                    "Paths 'embedded-…' and 'stream' use a member of the cluster."),
            EqualTerm.when("encoding", "in-advance", Map.of()),
            EqualTerm.as("heap", "node-heap")),
        DataFactRules.NONE
            .copies(1, BACKUPS)
            .always(Placement.PARTITIONED)
            // Nobody waits for the primary owner either where the call comes to another server.
            .where(MODE, "ASYNC", Acknowledgement.NONE)
            .always(Acknowledgement.ALL)
            .always(Reads.ANY)
            .always(Durability.MEMORY),
        List.of());
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
