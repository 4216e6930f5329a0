package io.pyrometer.driver.coherence;

import static io.pyrometer.protocol.PathDescription.mix;
import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.write;

import com.tangosol.net.CacheFactory;
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
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Oracle Coherence, community edition: servers are members that store data, in worker JVMs; an
 * agent is a member that stores none.
 */
public final class CoherenceDriver implements GridDriver {
  static final SettingKey<Integer> BACKUPS =
      SettingKey.integer("backups", Scope.PROCESS, 1, 0, 6)
          .meaning("Backup copies, which a write waits for unless 'async-backup' is on.")
          .ofServers()
          .below("nodes");
  static final SettingKey<Integer> PARTITIONS =
      SettingKey.integer("partitions", Scope.PROCESS, 257, 1, 32_767)
          .meaning("Number of partitions.")
          .ofServers();
  static final SettingKey<Boolean> ASYNC_BACKUP =
      SettingKey.flag("async-backup", Scope.PROCESS, false)
          .meaning("Whether backups are written after the write was acknowledged.")
          .ofServers();
  static final SettingKey<String> PERSISTENCE =
      SettingKey.choice("persistence-mode", Scope.PROCESS, "on-demand", "active", "active-async")
          .meaning(
              "Whether a member also stores each write on disk, and whether the write waits for"
                  + " it.")
          .ofServers();
  static final SettingKey<String> PROFILE =
      SettingKey.choice("cache-profile", Scope.PROCESS, "near", "thin")
          .meaning(
              "Whether an agent has a near cache of 10,000 records, as Coherence's default cache"
                  + " configuration has.");

  private static final SettingKey<Integer> BATCH = PathSettings.batch(1_000);
  private static final SettingKey<Integer> MIX_BATCH = PathSettings.batch(100);

  static final List<PathDefinition<CoherenceTrial>> PATHS =
      List.of(
          new PathDefinition<>(
              write(
                      "put-all-of-one",
                      Guarantee.OF_ONE,
                      "NamedMap.putAll of one record: without the old value.")
                  .asPlainest(),
              trial -> trial.put(trial::write)),
          new PathDefinition<>(
              write("put", Guarantee.OF_ONE, "NamedMap.put, which returns the old value."),
              trial -> trial.put(trial.map::put)),
          // The calls of one thread keep their order, which is the default of AsyncNamedMap.
          new PathDefinition<>(
              write(
                  "put-async",
                  Guarantee.OF_ONE,
                  "AsyncNamedMap.put, in the order of its thread.",
                  PathSettings.inFlight(100)),
              trial ->
                  trial.putAsync((key, value) -> trial.map.async().putAll(Map.of(key, value)))),
          new PathDefinition<>(
              write("put-all", Guarantee.OF_MANY, "NamedMap.putAll of a batch.", BATCH),
              trial -> trial.putAll(trial.map::putAll)),
          new PathDefinition<>(
              read("get", "NamedMap.get of every key, one after the other.").asPlainest(),
              trial -> trial.get(trial.map::get)),
          new PathDefinition<>(
              read("get-all", "NamedMap.getAll of the keys in batches.", BATCH),
              trial -> trial.getAll(trial.map::getAll)),
          new PathDefinition<>(
              read(
                  "aggregate", "NamedMap.aggregate: every member goes through its own partitions."),
              CoherenceTrial::aggregate),
          new PathDefinition<>(
              mix(
                      "mixed",
                      Guarantee.OF_ONE,
                      "NamedMap.get and putAll of one record, one after the other, or the"
                          + " operations of 'mix'.",
                      PathSettings.mix("get", "get-all", "put", "put-all", "remove"),
                      MIX_BATCH)
                  .asPlainest(),
              trial ->
                  trial
                      .mixed("put", trial.map::get, trial::write)
                      .getAll(trial.map::getAll)
                      .putAll(trial.map::putAll)
                      .remove(trial.map::remove)
                      .open()));

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "coherence",
        "Coherence CE",
        CacheFactory.VERSION,
        "A cluster of members, each a JVM of its own, used by a member without data.",
        List.of("nodes", DriverDescription.ELASTIC, DriverDescription.PROPERTIES),
        new ServerDescription(false, List.of("cluster"), 60, 60, List.of(), 3)
            .storingWithin(CoreSettings.NODE_HEAP.name()),
        List.of(),
        SettingKey.descriptions(BACKUPS, PARTITIONS, ASYNC_BACKUP, PERSISTENCE, PROFILE),
        Stream.concat(
                PathDefinition.descriptions(PATHS).stream(), CoherenceChaos.DESCRIPTIONS.stream())
            .toList(),
        List.of(
            EqualTerm.as("backups", "backups"),
            EqualTerm.when("acknowledged-by", "all", Map.of("async-backup", "off")),
            EqualTerm.when("durability", "memory", Map.of("persistence-mode", "on-demand")),
            EqualTerm.when("client", "member", Map.of()),
            EqualTerm.when("client", "remote", Map.of())
                .but("The client is a member of the cluster, which sends requests to the owner."),
            EqualTerm.when("encoding", "in-advance", Map.of()),
            EqualTerm.as("heap", "node-heap")),
        DataFactRules.NONE
            .copies(1, BACKUPS)
            .always(Placement.PARTITIONED)
            .where(ASYNC_BACKUP, true, Acknowledgement.PRIMARY)
            .always(Acknowledgement.ALL)
            .where(PERSISTENCE, "active", Durability.PROCESS_FAILURE)
            .always(Durability.MEMORY)
            .where(PROFILE, "near", Reads.ANY)
            .always(Reads.PRIMARY),
        List.of());
  }

  @Override
  public ServerLauncher servers() {
    return spec -> CoherenceMember.start(this, spec);
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return CoherenceMember.join(this, spec);
  }
}
