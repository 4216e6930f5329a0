package io.pyrometer.driver.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.RoutingMode;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ForkJoinPool;

/** A client of the cluster; every trial has a map of its own. */
final class HazelcastSession implements GridSession {
  private static final int CONNECT_MILLIS = 30_000;

  private final HazelcastDriver driver;
  private final HazelcastInstance client;

  private HazelcastSession(HazelcastDriver driver, HazelcastInstance client) {
    this.driver = driver;
    this.client = client;
  }

  static HazelcastSession open(HazelcastDriver driver, Command.OpenSession spec) {
    Member.raiseCommonPool();
    Settings settings = driver.describe().complete(spec.settings());
    ClientConfig config = new ClientConfig().setClusterName(Member.CLUSTER);
    config.setProperty("hazelcast.client.statistics.enabled", "false");
    // A write whose backup does not confirm it in time would be acknowledged all the same.
    config.setProperty("hazelcast.client.operation.fail.on.indeterminate.state", "true");
    config.setProperty(
        "hazelcast.client.operation.backup.timeout.millis", Member.BACKUP_TIMEOUT_MILLIS);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(CONNECT_MILLIS);
    config.getNetworkConfig().setAddresses(spec.clientAddresses());
    config
        .getNetworkConfig()
        .getClusterRoutingConfig()
        .setRoutingMode(
            settings.get(HazelcastDriver.ROUTING).equals("single-member")
                ? RoutingMode.SINGLE_MEMBER
                : RoutingMode.ALL_MEMBERS);
    try {
      return new HazelcastSession(driver, HazelcastClient.newHazelcastClient(config));
    } catch (HazelcastException | IllegalStateException e) {
      throw GridException.of(
          "The Hazelcast client did not connect to %s: %s",
          spec.clientAddresses(), e.getMessage(), e);
    }
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of("client.common-pool", String.valueOf(ForkJoinPool.getCommonPoolParallelism()));
  }

  @Override
  public OptionalInt servers() {
    return OptionalInt.of(client.getCluster().getMembers().size());
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    Settings settings = driver.describe().complete(trial.path(), trial.settings());
    String name = "pyrometer-" + trial.id();
    try {
      if (creator) {
        client.getMap(name).destroy();
        client
            .getConfig()
            .addMapConfig(
                new MapConfig(name)
                    .setBackupCount(settings.get(HazelcastDriver.BACKUPS))
                    .setAsyncBackupCount(settings.get(HazelcastDriver.ASYNC_BACKUPS))
                    .setInMemoryFormat(
                        InMemoryFormat.valueOf(settings.get(HazelcastDriver.MEMORY_FORMAT)))
                    .setStatisticsEnabled(false));
      }
      return new HazelcastTrial(
          client, name, trial.path(), settings, new CompactRecords(records), records);
    } catch (HazelcastException e) {
      throw GridException.of("Map '%s' could not be made: %s", name, e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
