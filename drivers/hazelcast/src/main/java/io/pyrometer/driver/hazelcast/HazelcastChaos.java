package io.pyrometer.driver.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import io.pyrometer.chaos.MapSession;
import io.pyrometer.chaos.Promise;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operations on a map of numbers, whose history is checked. The promise is that of "Consistency and
 * Replication" in Hazelcast's documentation.
 */
record HazelcastChaos(HazelcastInstance client, IMap<Long, Long> map, Promise promise)
    implements MapSession {

  /** Hazelcast's default; a call whose backup copy was killed ends after it, without an answer. */
  static final String BACKUP_TIMEOUT_MILLIS = "5000";

  @Override
  public Map<String, String> configuration() {
    return Map.of();
  }

  /** A server that starts is said to have joined when all partitions have their copies. */
  @Override
  public boolean whole(int servers) {
    return client.getCluster().getMembers().size() == servers;
  }

  @Override
  public void increment(long key) {
    Boolean unused = map.executeOnKey(key, new Increment());
  }

  private record Increment() implements EntryProcessor<Long, Long, Boolean> {
    @Override
    public Boolean process(Map.Entry<Long, @Nullable Long> entry) {
      Long there = entry.getValue();
      entry.setValue(there == null ? 1 : there + 1);
      return true;
    }
  }

  @Override
  public void destroy() {
    map.destroy();
    client.shutdown();
  }
}
