package io.pyrometer.driver.hazelcast;

import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Sent to every member: what it says of itself and of the map of a trial. */
final class ReadBack
    implements Callable<Map<String, String>>, HazelcastInstanceAware, Serializable {
  private static final long serialVersionUID = 1L;

  private final String map;
  private transient @Nullable HazelcastInstance member;

  ReadBack(String map) {
    this.map = map;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    this.member = instance;
  }

  @Override
  public Map<String, String> call() {
    HazelcastInstance here = Objects.requireNonNull(member);
    Map<String, String> facts = new TreeMap<>(Member.configuration(here));
    MapConfig running = here.getConfig().findMapConfig(map);
    facts.put("cache.backups", String.valueOf(running.getBackupCount()));
    facts.put("cache.async-backups", String.valueOf(running.getAsyncBackupCount()));
    facts.put("cache.in-memory-format", running.getInMemoryFormat().toString());
    facts.put("cache.statistics", String.valueOf(running.isStatisticsEnabled()));
    return facts;
  }
}
