package io.pyrometer.driver.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.pyrometer.chaos.Promise;
import io.pyrometer.chaos.RegisterSession;
import java.util.Map;
import java.util.OptionalLong;

/** Operations on numbers, whose history is checked. */
record RedisChaos(
    RedisClusterClient client,
    StatefulRedisClusterConnection<String, String> connection,
    Promise promise)
    implements RegisterSession {
  private static final String COMPARE_AND_SET =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) return 1"
          + " else return 0 end";

  /**
   * @param client that does not send commands again after it has lost a connection
   */
  static RedisChaos open(RedisClusterClient client, Promise promise) {
    RedisChaos opened = new RedisChaos(client, client.connect(), promise);
    String unused = opened.redis().flushall();
    return opened;
  }

  private RedisAdvancedClusterCommands<String, String> redis() {
    return connection.sync();
  }

  @Override
  public Map<String, String> configuration() {
    return RedisServer.configuration(redis());
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
    String found = redis().get(String.valueOf(key));
    return found == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(found));
  }

  @Override
  public void write(long key, long value) {
    String unused = redis().set(String.valueOf(key), String.valueOf(value));
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return redis()
        .eval(
            COMPARE_AND_SET,
            ScriptOutputType.BOOLEAN,
            new String[] {String.valueOf(key)},
            String.valueOf(expected),
            String.valueOf(value));
  }

  @Override
  public void increment(long key) {
    Long unused = redis().incr(String.valueOf(key));
  }

  @Override
  public void destroy() {
    String unused = redis().flushall();
    connection.close();
    client.shutdown();
  }
}
