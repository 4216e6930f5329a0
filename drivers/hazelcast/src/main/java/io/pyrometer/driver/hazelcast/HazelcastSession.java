package io.pyrometer.driver.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.chaos.Promise;
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
record HazelcastSession(HazelcastInstance client, ClientConfig config)
    implements GridSession, ChaosGrid {
  private static final int CONNECT_MILLIS = 30_000;
  private static final String BACKUP_TIMEOUT = "hazelcast.client.operation.backup.timeout.millis";

  static HazelcastSession open(Command.OpenSession spec) {
    Member.raiseCommonPool();
    Settings settings = spec.settings();
    ClientConfig config = new ClientConfig().setClusterName(Member.CLUSTER);
    config.setProperty("hazelcast.client.statistics.enabled", "false");
    config.setProperty(
        "hazelcast.client.operation.fail.on.indeterminate.state",
        settings.get(HazelcastDriver.FAIL_ON_INDETERMINATE).toString());
    settings.properties().entrySet().stream()
        .filter(each -> each.getKey().startsWith(Member.SYSTEM + "client."))
        .forEach(each -> config.setProperty(each.getKey(), each.getValue()));
    config.setProperty(BACKUP_TIMEOUT, Member.BACKUP_TIMEOUT_MILLIS);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(CONNECT_MILLIS);
    config.getNetworkConfig().setAddresses(spec.clientAddresses());
    try {
      return new HazelcastSession(HazelcastClient.newHazelcastClient(config), config);
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
    String name = trial.cacheName();
    try {
      if (creator) {
        create(name, trial.settings());
      }
      return new HazelcastTrial(client, name, trial, records);
    } catch (HazelcastException e) {
      throw GridException.of("Map '%s' could not be made: %s", name, e.getMessage(), e);
    }
  }

  private void create(String name, Settings settings) {
    client.getMap(name).destroy();
    MapConfig map =
        Member.map(name, settings)
            .setBackupCount(settings.get(HazelcastDriver.BACKUPS))
            .setAsyncBackupCount(settings.get(HazelcastDriver.ASYNC_BACKUPS));
    client.getConfig().addMapConfig(map);
  }

  @Override
  public ChaosSession openChaos(TrialSpec trial) {
    create(trial.cacheName(), trial.settings());
    ClientConfig impatient =
        new ClientConfig(config).setProperty(BACKUP_TIMEOUT, HazelcastChaos.BACKUP_TIMEOUT_MILLIS);
    HazelcastInstance calling = HazelcastClient.newHazelcastClient(impatient);
    return new HazelcastChaos(
        calling,
        calling.getMap(trial.cacheName()),
        Promise.ofPrimaryCopies(trial, new HazelcastDriver().describe().data(trial.settings())));
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
