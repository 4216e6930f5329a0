package io.pyrometer.driver.coherence;

import com.tangosol.internal.net.SessionNamedCache;
import com.tangosol.internal.net.service.grid.DefaultPartitionedCacheDependencies;
import com.tangosol.internal.net.service.grid.PartitionedCacheDependencies;
import com.tangosol.io.DecorationOnlyDeltaCompressor;
import com.tangosol.net.ClusterDependencies;
import com.tangosol.net.NamedMap;
import com.tangosol.net.ServiceDependencies;
import com.tangosol.net.cache.NearCache;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings that are system properties of Coherence and nothing more. Those without a default of
 * their own are Coherence's if absent.
 */
final class CoherenceSettings {
  static final String GUARANTEES = "guarantees";
  static final String CACHES = "caches";

  private static final String POOLS = "pools";
  private static final String NETWORK = "network";
  private static final String REBALANCING = "rebalancing";
  private static final String DISTRIBUTED = "coherence.distributed.";
  private static final double MILLIS = 1e3;
  private static final double KIB = 1_024;
  private static final DefaultPartitionedCacheDependencies OWN =
      new DefaultPartitionedCacheDependencies();

  static final SettingKey<Boolean> ASYNC_BACKUP =
      SettingKey.flag("async-backup", Scope.PROCESS, false)
          .meaning("Whether backups are written after the write was acknowledged.")
          .ofServers()
          .tunable(GUARANTEES, DISTRIBUTED + "asyncbackup");
  static final SettingKey<String> PERSISTENCE =
      SettingKey.choice("persistence-mode", Scope.PROCESS, "on-demand", "active", "active-async")
          .meaning(
              "Whether a member also stores each write on disk, and whether the write waits for"
                  + " it.")
          .ofServers()
          .tunable(GUARANTEES, DISTRIBUTED + "persistence.mode");
  static final SettingKey<String> PROFILE =
      SettingKey.choice("cache-profile", Scope.PROCESS, "near", "thin")
          .meaning(
              "Whether an agent has a near cache of 10,000 records, as Coherence's default cache"
                  + " configuration has.")
          .tunable(CACHES, "coherence.profile", "near", "thin");

  /** Those of the partitioned service, and of messages. */
  static final List<SettingDescription> ALL =
      SettingKey.descriptions(
          ASYNC_BACKUP,
          PERSISTENCE,
          PROFILE,
          count("threads-min", "Threads of a member for requests, at least.")
              .ofProduct(POOLS, DISTRIBUTED + "threads.min", "max(1, CPUs)", "1", "2", "4"),
          count("threads-max", "Such threads, at most.")
              .ofProduct(
                  POOLS,
                  DISTRIBUTED + "threads.max",
                  String.valueOf(OWN.getWorkerThreadCountMax()),
                  "4",
                  "8",
                  "16"),
          SettingKey.choice("compressor", Scope.PROCESS, "none", "standard")
              .meaning("Whether only what differs of a record is sent to its backups.")
              .ofServers()
              .tunable(NETWORK, DISTRIBUTED + "compressor", "none", "standard"),
          SettingKey.bytes("transfer-threshold", Scope.PROCESS, 1_024, 1_024, 1e9)
              .meaning("Bytes of a message that moves partitions.")
              .ofServers()
              .ofProduct(
                  1 / KIB,
                  REBALANCING,
                  DISTRIBUTED + "transfer",
                  OWN.getTransferThreshold() / 1_024 + "k",
                  "128k",
                  "512k",
                  "4m"),
          SettingKey.integer("distribution-aggressiveness", Scope.PROCESS, 20, 1, 100)
              .meaning("How much of the partitions that must move is moved at once.")
              .ofServers()
              .ofProduct(
                  REBALANCING,
                  DISTRIBUTED + "aggressive",
                  String.valueOf(OWN.getDistributionAggressiveness()),
                  "5",
                  "20",
                  "80"),
          millis(
              "request-timeout",
              "How long a request may take before it fails; 0 for any time.",
              DISTRIBUTED + "request.timeout",
              OWN.getRequestTimeoutMillis()),
          millis(
              "resend-interval",
              "Silence after which a packet that was not confirmed is sent again.",
              "coherence.publisher.resend.interval",
              200,
              "0.05s",
              "0.2s",
              "1s"));

  private CoherenceSettings() {}

  private static SettingKey<Integer> count(String name, String text) {
    return SettingKey.integer(name, Scope.PROCESS, 1, 1, Integer.MAX_VALUE)
        .meaning(text)
        .ofServers();
  }

  private static SettingKey<Double> millis(
      String name, String text, String property, long initial, String... levels) {
    return SettingKey.seconds(name, Scope.PROCESS, 0, 0, 3_600)
        .meaning(text)
        .ofServers()
        .ofProduct(MILLIS, NETWORK, property, initial / MILLIS + "s", levels);
  }

  /** What is given, as system properties. */
  static Map<String, String> properties(Settings complete) {
    return SettingDescription.productValues(ALL, complete);
  }

  /** What is in effect in a member, as its service and its cluster say. */
  static Map<String, String> facts(ServiceDependencies service, ClusterDependencies cluster) {
    Map<String, Object> facts = new TreeMap<>();
    if (service instanceof PartitionedCacheDependencies partitioned) {
      facts.put("async-backup", partitioned.isAsyncBackupEnabled());
      facts.put("persistence-mode", partitioned.getPersistenceDependencies().getPersistenceMode());
      facts.put(
          "compressor",
          partitioned.getDeltaCompressor() instanceof DecorationOnlyDeltaCompressor
              ? "none"
              : "standard");
      facts.put("transfer-threshold", partitioned.getTransferThreshold());
      facts.put("distribution-aggressiveness", partitioned.getDistributionAggressiveness());
    }
    facts.put("threads-min", service.getWorkerThreadCountMin());
    facts.put("threads-max", service.getWorkerThreadCountMax());
    facts.put("request-timeout", service.getRequestTimeoutMillis() / MILLIS);
    facts.put("resend-interval", cluster.getPublisherResendDelayMillis() / MILLIS);
    Map<String, String> named = new TreeMap<>();
    facts.forEach((name, value) -> named.put("setting." + name, value.toString()));
    return named;
  }

  /** Whether the map of an agent has a near cache. */
  static String profile(NamedMap<?, ?> map) {
    return map instanceof SessionNamedCache<?, ?> cache
            && cache.getInternalNamedCache() instanceof NearCache
        ? "near"
        : "thin";
  }
}
