package io.pyrometer.driver.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.pyrometer.chaos.ChaosSettings;
import io.pyrometer.chaos.FaultKind;
import io.pyrometer.chaos.Promise;
import io.pyrometer.chaos.RegisterSession;
import io.pyrometer.protocol.PathDescription;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Operations on numbers, whose history is checked. */
final class RedisChaos implements RegisterSession {
  /** A process of a cluster does not come back as the one that it was. */
  private static final List<FaultKind> FAULTS = FaultKind.WITHOUT_RESTARTS;

  static final List<PathDescription> DESCRIPTIONS =
      List.of(
          ChaosSettings.path(
                  ChaosSettings.REGISTERS,
                  RedisDriver.DECLARED.summary(ChaosSettings.REGISTERS),
                  FAULTS)
              .asPlainest(),
          ChaosSettings.path(
              ChaosSettings.COUNTERS,
              RedisDriver.DECLARED.summary(ChaosSettings.COUNTERS),
              FAULTS));

  private static final String COMPARE_AND_SET =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) return 1"
          + " else return 0 end";

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<String, String> connection;
  private final RedisAdvancedClusterCommands<String, String> redis;
  private final Promise promise;

  /**
   * @param client that does not send commands again after it has lost a connection
   */
  RedisChaos(RedisClusterClient client, Promise promise) {
    this.client = client;
    this.connection = client.connect();
    this.redis = connection.sync();
    this.promise = promise;
    String unused = redis.flushall();
  }

  @Override
  public Promise promise() {
    return promise;
  }

  @Override
  public Map<String, String> configuration() {
    return RedisServer.configuration(redis);
  }

  @Override
  public boolean whole(int servers) {
    client.refreshPartitions();
    return RedisSession.masters(client.getPartitions()).size() == servers
        && client.getPartitions().stream()
            .noneMatch(node -> node.is(NodeFlag.FAIL) || node.is(NodeFlag.EVENTUAL_FAIL));
  }

  @Override
  public OptionalLong read(long key) {
    String found = redis.get(String.valueOf(key));
    return found == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(found));
  }

  @Override
  public void write(long key, long value) {
    String unused = redis.set(String.valueOf(key), String.valueOf(value));
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return redis.eval(
        COMPARE_AND_SET,
        ScriptOutputType.BOOLEAN,
        new String[] {String.valueOf(key)},
        String.valueOf(expected),
        String.valueOf(value));
  }

  @Override
  public void increment(long key) {
    Long unused = redis.incr(String.valueOf(key));
  }

  @Override
  public void destroy() {
    String unused = redis.flushall();
    connection.close();
    client.shutdown();
  }
}
