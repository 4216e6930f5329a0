package io.pyrometer.driver.ignite.node;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.ignite.Ignite;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;

/** What a running node says of its own configuration. */
public final class NodeConfiguration {

  private NodeConfiguration() {}

  public static Map<String, String> of(Ignite ignite) {
    IgniteConfiguration configuration = ignite.configuration();
    Map<String, String> facts = new TreeMap<>();
    facts.put("node.version", ignite.version().toString());
    facts.put("node.jvm", System.getProperty("java.vm.version", "unknown"));
    facts.put("node.processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    facts.put("node.collectors", collectors());
    facts.put("node.heap-bytes", String.valueOf(Runtime.getRuntime().maxMemory()));
    facts.put("node.public-threads", String.valueOf(configuration.getPublicThreadPoolSize()));
    facts.put("node.system-threads", String.valueOf(configuration.getSystemThreadPoolSize()));
    facts.put("node.stripes", String.valueOf(configuration.getStripedPoolSize()));
    facts.put(
        "node.streamer-threads", String.valueOf(configuration.getDataStreamerThreadPoolSize()));
    facts.put("node.peer-class-loading", String.valueOf(configuration.isPeerClassLoadingEnabled()));
    DataStorageConfiguration storage = configuration.getDataStorageConfiguration();
    if (storage != null) {
      facts.putAll(of(storage));
    }
    return facts;
  }

  /** A JVM that counts fewer than two processors takes the serial collector. */
  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(MemoryManagerMXBean::getName)
        .collect(Collectors.joining(", "));
  }

  private static Map<String, String> of(DataStorageConfiguration storage) {
    DataRegionConfiguration region = storage.getDefaultDataRegionConfiguration();
    Map<String, String> facts = new TreeMap<>();
    facts.put("region.initial-bytes", String.valueOf(region.getInitialSize()));
    facts.put("region.max-bytes", String.valueOf(region.getMaxSize()));
    facts.put("region.page-eviction", region.getPageEvictionMode().toString());
    facts.put("region.persistence", String.valueOf(region.isPersistenceEnabled()));
    facts.put("storage.page-bytes", String.valueOf(storage.getPageSize()));
    if (region.isPersistenceEnabled()) {
      facts.put("storage.wal-mode", storage.getWalMode().toString());
      facts.put("storage.wal-segments", String.valueOf(storage.getWalSegments()));
      facts.put("storage.wal-segment-bytes", String.valueOf(storage.getWalSegmentSize()));
    }
    return facts;
  }
}
