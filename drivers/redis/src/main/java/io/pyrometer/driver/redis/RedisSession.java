package io.pyrometer.driver.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.chaos.ChaosSettings;
import io.pyrometer.chaos.FaultKind;
import io.pyrometer.chaos.Promise;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** A client of the cluster; trials use its only data set one after the other. */
record RedisSession(Command.OpenSession spec, RedisClusterClient client)
    implements GridSession, ChaosGrid {
  /** Calls to a master that died fail after this, and the client asks for the new topology. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  static RedisSession open(Command.OpenSession spec) {
    return new RedisSession(spec, connect(spec, true));
  }

  /**
   * @param replays whether commands that were not answered are sent again when a connection was
   *     lost, as Lettuce does by default
   */
  private static RedisClusterClient connect(Command.OpenSession spec, boolean replays) {
    RedisClusterClient client =
        RedisClusterClient.create(
            spec.clientAddresses().stream()
                .map(address -> RedisURI.create("redis://" + address))
                .toList());
    ClusterClientOptions.Builder options =
        ClusterClientOptions.builder()
            .timeoutOptions(TimeoutOptions.enabled(TIMEOUT))
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                    .enablePeriodicRefresh(Duration.ofSeconds(1))
                    .build());
    if (!replays) {
      ClientOptions.Builder unused = options.replayFilter(command -> true);
    }
    client.setOptions(options.build());
    try {
      client.refreshPartitions();
    } catch (RedisException e) {
      client.shutdown();
      throw GridException.of(
          "The Redis cluster at %s does not answer: %s", spec.clientAddresses(), e.getMessage(), e);
    }
    return client;
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of("client.timeout-seconds", String.valueOf(TIMEOUT.toSeconds()));
  }

  @Override
  public OptionalInt servers() {
    try {
      client.refreshPartitions();
    } catch (RedisException e) {
      throw new GridException("The grid does not answer: " + e.getMessage(), e);
    }
    return OptionalInt.of(masters(client.getPartitions()).size());
  }

  static List<RedisClusterNode> masters(Partitions partitions) {
    return partitions.stream()
        .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
        .filter(node -> !node.getSlots().isEmpty())
        .filter(node -> !node.is(RedisClusterNode.NodeFlag.FAIL))
        .toList();
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    RedisTrial opened = new RedisTrial(client, trial, records);
    if (creator) {
      opened.destroy();
    }
    return opened;
  }

  /** After a silence of the node timeout, a replica takes over without what it has not yet. */
  @Override
  public ChaosSession openChaos(TrialSpec trial) {
    Settings settings = trial.settings();
    boolean failsOver =
        ChaosSettings.anyOf(settings, List.of(FaultKind.PAUSE))
            && settings.get(ChaosSettings.FAULT_FOR) >= settings.get(RedisDriver.NODE_TIMEOUT);
    return RedisChaos.open(
        connect(spec, false),
        failsOver
            ? Promise.NONE
            : Promise.ofPrimaryCopies(trial, new RedisDriver().describe().data(settings)));
  }

  @Override
  public void close() {
    client.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
