package io.pyrometer.driver.hazelcast;

import static io.pyrometer.protocol.PathDescription.mix;
import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.update;
import static io.pyrometer.protocol.PathDescription.write;

import com.hazelcast.instance.BuildInfoProvider;
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
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.DriverDescription.JvmFlags;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Hazelcast, community edition: servers in worker JVMs, a client in each agent. */
public final class HazelcastDriver implements GridDriver {
  static final SettingKey<Integer> BACKUPS =
      SettingKey.integer("backups", Scope.CACHE, 1, 0, 6)
          .meaning("Copies that a write waits for.")
          .below("nodes");
  static final SettingKey<Integer> ASYNC_BACKUPS =
      SettingKey.integer("async-backups", Scope.CACHE, 0, 0, 6)
          .meaning("Copies that are written after the write was acknowledged.")
          .below("nodes");
  static final SettingKey<String> MEMORY_FORMAT =
      SettingKey.choice("in-memory-format", Scope.CACHE, "BINARY", "OBJECT")
          .meaning("Whether a server keeps values as bytes or as objects.");
  static final SettingKey<Integer> PARTITIONS =
      SettingKey.integer("partitions", Scope.PROCESS, 271, 1, 10_000)
          .meaning("Number of partitions.")
          .ofServers();
  static final SettingKey<String> ROUTING =
      SettingKey.choice("routing", Scope.PROCESS, "all-members", "single-member")
          .meaning(
              "Whether a client asks the member that holds a key, or one member for all keys.");
  static final SettingKey<Boolean> FAIL_ON_INDETERMINATE =
      SettingKey.flag("fail-on-indeterminate", Scope.PROCESS, true)
          .meaning(
              "Whether a write fails if a backup copy does not confirm it in time; otherwise it is"
                  + " acknowledged all the same, which is Hazelcast's default.")
          .forJobs(Job.WRITE, Job.AGGREGATE, Job.UPDATE, Job.MIX);
  private static final List<SettingDescription> SETTINGS =
      SettingKey.descriptions(
          BACKUPS, ASYNC_BACKUPS, MEMORY_FORMAT, PARTITIONS, ROUTING, FAIL_ON_INDETERMINATE);

  private static final SettingKey<Integer> BATCH = PathSettings.batch(1_000);
  private static final SettingKey<Integer> MIX_BATCH = PathSettings.batch(100);
  private static final SettingKey<Integer> IN_FLIGHT = PathSettings.inFlight(100);

  static final List<PathDefinition<HazelcastTrial>> PATHS =
      List.of(
          new PathDefinition<>(
              write("set", Guarantee.OF_ONE, "IMap.set, which does not return the old value.")
                  .asPlainest(),
              trial -> trial.put(trial.map::set)),
          new PathDefinition<>(
              write("put", Guarantee.OF_ONE, "IMap.put, which returns the old value."),
              trial -> trial.put(trial.map::put)),
          new PathDefinition<>(
              write("set-async", Guarantee.OF_ONE, "IMap.setAsync.", IN_FLIGHT),
              trial -> trial.putAsync(trial.map::setAsync)),
          new PathDefinition<>(
              write("put-all", Guarantee.OF_MANY, "IMap.putAll of a batch.", BATCH),
              trial -> trial.putAll(trial.map::putAll)),
          new PathDefinition<>(
              write("set-all", Guarantee.OF_MANY, "IMap.setAll of a batch.", BATCH),
              trial -> trial.putAll(trial.map::setAll)),
          new PathDefinition<>(
              read("get", "IMap.get of every key, one after the other.").asPlainest(),
              trial -> trial.get(trial.map::get)),
          new PathDefinition<>(
              read("get-all", "IMap.getAll of the keys in batches.", BATCH),
              trial -> trial.getAll(trial.map::getAll)),
          new PathDefinition<>(
              read("aggregate", "IMap.aggregate: every member goes through its own partitions."),
              HazelcastTrial::aggregate),
          new PathDefinition<>(
              update(
                      "update-processor",
                      Guarantee.OF_ONE,
                      "IMap.executeOnKey of an entry processor, one record after the other.")
                  .asPlainest(),
              HazelcastTrial::update),
          new PathDefinition<>(
              mix(
                      "mixed",
                      Guarantee.OF_ONE,
                      "IMap.get and IMap.set, one after the other, or the operations of 'mix'.",
                      PathSettings.mix("get", "get-all", "put", "put-all", "remove"),
                      MIX_BATCH)
                  .recordedAs("get", "set")
                  .asPlainest(),
              trial ->
                  trial
                      .mixed("set", trial.map::get, trial.map::set)
                      .getAll(trial.map::getAll)
                      .putAll(trial.map::setAll)
                      .remove(trial.map::delete)
                      .open()));

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "hazelcast",
        "Hazelcast",
        BuildInfoProvider.getBuildInfo().getVersion(),
        "A cluster of members, each a JVM of its own, used through a client.",
        List.of("nodes", DriverDescription.ELASTIC, DriverDescription.PROPERTIES),
        new ServerDescription(false, List.of("members and clients"), 60, 60, List.of(), 8)
            .storingWithin(CoreSettings.NODE_HEAP.name()),
        List.of(
            new JvmFlags(
                17,
                List.of(
                    "--add-modules=java.se",
                    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-opens=java.management/sun.management=ALL-UNNAMED",
                    "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED"))),
        SETTINGS,
        Stream.of(
                PathDefinition.descriptions(PATHS),
                HazelcastChaos.DESCRIPTIONS,
                HazelcastCaches.DESCRIPTIONS)
            .flatMap(List::stream)
            .toList(),
        List.of(
            EqualTerm.as("backups", "backups"),
            EqualTerm.when(
                "acknowledged-by",
                "all",
                Map.of("async-backups", "0", FAIL_ON_INDETERMINATE.name(), "true")),
            EqualTerm.when("durability", "memory", Map.of()),
            EqualTerm.when("client", "remote", Map.of()),
            EqualTerm.when("encoding", "each-call", Map.of()),
            EqualTerm.when("encoding", "in-advance", Map.of())
                .but("Hazelcast's client serializes each value in each call."),
            EqualTerm.as("heap", "node-heap")),
        DataFactRules.NONE
            .copies(1, BACKUPS, ASYNC_BACKUPS)
            .where(FAIL_ON_INDETERMINATE, false, Acknowledgement.PRIMARY)
            .where(ASYNC_BACKUPS, 0, Acknowledgement.ALL)
            .always(Placement.PARTITIONED)
            .always(Acknowledgement.PRIMARY)
            .always(Durability.MEMORY),
        List.of());
  }

  @Override
  public ServerLauncher servers() {
    return Member::start;
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return HazelcastSession.open(this, spec);
  }
}
