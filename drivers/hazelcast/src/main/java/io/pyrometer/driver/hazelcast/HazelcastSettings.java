package io.pyrometer.driver.hazelcast;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.CacheDeserializedValues;
import com.hazelcast.config.Config;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MetricsConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.hazelcast.spi.properties.HazelcastProperty;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Settings that are properties of Hazelcast and nothing more. Those without a default of their own
 * are Hazelcast's if absent.
 */
final class HazelcastSettings {
  static final String CACHES = "caches";
  static final String GUARANTEES = "guarantees";
  static final String NETWORK = "network";
  static final String MAP = MapConfig.class.getName() + "/";

  private static final String CLIENT = ClientConfig.class.getName() + "/";
  private static final String POOLS = "pools";
  private static final String REBALANCING = "rebalancing";
  private static final String DIAGNOSTICS = "diagnostics";
  private static final double KIB = 1_024;
  private static final Job[] JOBS = {Job.WRITE, Job.AGGREGATE, Job.UPDATE, Job.MIX};

  static final SettingKey<Boolean> FAIL_ON_INDETERMINATE =
      SettingKey.flag("fail-on-indeterminate", Scope.PROCESS, true)
          .meaning(
              "Whether a write fails if a backup copy does not confirm it in time; otherwise it is"
                  + " acknowledged all the same, which is Hazelcast's default.")
          .tunable(GUARANTEES, ClusterProperty.FAIL_ON_INDETERMINATE_OPERATION_STATE.getName());
  static final SettingKey<Boolean> STATISTICS =
      SettingKey.flag("cache-statistics", Scope.CACHE, false)
          .meaning(
              "Whether members count and time the operations of a map, which is Hazelcast's"
                  + " default.")
          .tunable(CACHES, MAP + "statisticsEnabled", "off", "on");
  private static final SettingKey<Boolean> ENTRY_STATISTICS =
      SettingKey.flag("entry-statistics", Scope.CACHE, false)
          .meaning("Whether each entry has its hits and times, which take memory.")
          .ofProduct(
              CACHES,
              MAP + "perEntryStatsEnabled",
              flag(new MapConfig().isPerEntryStatsEnabled()),
              "off",
              "on");
  private static final SettingKey<String> DESERIALIZED_VALUES =
      SettingKey.choice("deserialized-values", Scope.CACHE, "INDEX_ONLY", "NEVER", "ALWAYS")
          .meaning("Which values a member also keeps as objects (cache-deserialized-values).")
          .ofProduct(
              CACHES,
              MAP + "cacheDeserializedValues:" + CacheDeserializedValues.class.getName(),
              new MapConfig().getCacheDeserializedValues().name(),
              "INDEX_ONLY",
              "NEVER",
              "ALWAYS");
  private static final SettingKey<Boolean> BACKUP_ACKS =
      SettingKey.flag("backup-acks-to-client", Scope.PROCESS, true)
          .meaning(
              "Whether backup copies confirm a write to the client itself, which saves the way"
                  + " through the primary member.")
          .ofProduct(
              NETWORK,
              CLIENT + "backupAckToClientEnabled",
              flag(new ClientConfig().isBackupAckToClientEnabled()),
              "on",
              "off");

  /** Properties of a member. */
  static final List<SettingDescription> OF_MEMBERS =
      SettingKey.descriptions(
          threads(
              "operation-threads",
              "Threads for operations on partitions, each of which owns some partitions.",
              ClusterProperty.PARTITION_OPERATION_THREAD_COUNT,
              "max(2, CPUs)"),
          threads(
              "generic-threads",
              "Threads for operations on no single partition.",
              ClusterProperty.GENERIC_OPERATION_THREAD_COUNT,
              "max(2, CPUs / 2)"),
          threads(
              "response-threads",
              "Threads that process the responses of other members.",
              ClusterProperty.RESPONSE_THREAD_COUNT,
              ClusterProperty.RESPONSE_THREAD_COUNT.getDefaultValue()),
          threads(
              "io-threads",
              "Threads that read from sockets, and as many that write to them.",
              ClusterProperty.IO_THREAD_COUNT,
              "3"),
          flag(
              "io-write-through",
              "Whether the thread that sends a message also writes it to the socket if it can.",
              NETWORK,
              ClusterProperty.IO_WRITE_THROUGH_ENABLED),
          socketBuffer("socket-send-buffer", "Send", ClusterProperty.SOCKET_SEND_BUFFER_SIZE),
          socketBuffer(
              "socket-receive-buffer", "Receive", ClusterProperty.SOCKET_RECEIVE_BUFFER_SIZE),
          flag(
              "backpressure",
              "Whether a member limits its pending operations, and waits for some asynchronous"
                  + " backups.",
              NETWORK,
              ClusterProperty.BACKPRESSURE_ENABLED),
          SettingKey.integer("parallel-migrations", Scope.PROCESS, 10, 1, 1_000)
              .meaning("Partitions that a member moves at once.")
              .forJobs(JOBS)
              .ofServers()
              .ofProduct(
                  REBALANCING,
                  ClusterProperty.PARTITION_MAX_PARALLEL_MIGRATIONS.getName(),
                  ClusterProperty.PARTITION_MAX_PARALLEL_MIGRATIONS.getDefaultValue(),
                  "2",
                  "10",
                  "50"),
          SettingKey.flag("metrics", Scope.PROCESS, true)
              .meaning("Whether a member collects its metrics, every 5 s.")
              .forJobs(JOBS)
              .ofServers()
              .ofProduct(
                  DIAGNOSTICS,
                  ClusterProperty.METRICS_ENABLED.getName(),
                  flag(new MetricsConfig().isEnabled()),
                  "on",
                  "off"),
          flag(
              "slow-operation-detector",
              "Whether a thread of a member looks for slow operations.",
              DIAGNOSTICS,
              ClusterProperty.SLOW_OPERATION_DETECTOR_ENABLED));

  /** All, in the order of the reference. */
  static final List<SettingDescription> ALL =
      Stream.concat(
              OF_MEMBERS.stream(),
              SettingKey.descriptions(
                  BACKUP_ACKS.forJobs(JOBS),
                  FAIL_ON_INDETERMINATE.forJobs(JOBS),
                  STATISTICS.forJobs(JOBS),
                  ENTRY_STATISTICS.forJobs(JOBS),
                  DESERIALIZED_VALUES.forJobs(JOBS))
                  .stream())
          .toList();

  private HazelcastSettings() {}

  private static String flag(boolean value) {
    return value ? "on" : "off";
  }

  private static SettingKey<Integer> threads(
      String name, String text, HazelcastProperty property, String initial) {
    return SettingKey.integer(name, Scope.PROCESS, 1, 1, 1_024)
        .meaning(text)
        .forJobs(JOBS)
        .ofServers()
        .ofProduct(POOLS, property.getName(), initial, "1", "2", "4", "8");
  }

  private static SettingKey<Boolean> flag(
      String name, String text, String group, HazelcastProperty property) {
    return SettingKey.flag(name, Scope.PROCESS, false)
        .meaning(text)
        .forJobs(JOBS)
        .ofServers()
        .ofProduct(
            group,
            property.getName(),
            flag(Boolean.parseBoolean(property.getDefaultValue())),
            "on",
            "off");
  }

  /** Hazelcast counts in KiB. */
  private static SettingKey<Long> socketBuffer(
      String name, String which, HazelcastProperty property) {
    return SettingKey.bytes(name, Scope.PROCESS, 1_024, 1_024, 1e9)
        .withoutDefault()
        .meaning(which + " buffer of a socket between members; the system may give less.")
        .forJobs(JOBS)
        .ofServers()
        .ofProduct(
            1 / KIB,
            NETWORK,
            property.getName(),
            property.getDefaultValue() + "k",
            "32k",
            "128k",
            "1m");
  }

  static void apply(Settings settings, Config member) {
    SettingDescription.productValues(OF_MEMBERS, settings).forEach(member::setProperty);
    member.setProperty(
        ClusterProperty.FAIL_ON_INDETERMINATE_OPERATION_STATE.getName(),
        settings.get(FAIL_ON_INDETERMINATE).toString());
  }

  static void apply(Settings settings, ClientConfig client) {
    client.setProperty(
        "hazelcast.client.operation.fail.on.indeterminate.state",
        settings.get(FAIL_ON_INDETERMINATE).toString());
    if (settings.has(BACKUP_ACKS)) {
      client.setBackupAckToClientEnabled(settings.get(BACKUP_ACKS));
    }
  }

  static void apply(Settings settings, MapConfig map) {
    map.setStatisticsEnabled(settings.get(STATISTICS));
    if (settings.has(ENTRY_STATISTICS)) {
      map.setPerEntryStatsEnabled(settings.get(ENTRY_STATISTICS));
    }
    if (settings.has(DESERIALIZED_VALUES)) {
      map.setCacheDeserializedValues(
          CacheDeserializedValues.valueOf(settings.get(DESERIALIZED_VALUES)));
    }
  }

  /** What is in effect on a member: threads are counted, and the rest is what it looks up. */
  static Map<String, String> facts(HazelcastInstance member) {
    Config config = member.getConfig();
    HazelcastProperties properties = new HazelcastProperties(config);
    Map<String, String> facts = new TreeMap<>();
    facts.put("setting.operation-threads", threads("partition-operation.thread-"));
    facts.put("setting.generic-threads", threads(".generic-operation.thread-"));
    facts.put("setting.response-threads", threads(".response-"));
    facts.put("setting.io-threads", threads("IO.thread-in-"));
    Map.of(
            "io-write-through", ClusterProperty.IO_WRITE_THROUGH_ENABLED,
            "backpressure", ClusterProperty.BACKPRESSURE_ENABLED,
            "parallel-migrations", ClusterProperty.PARTITION_MAX_PARALLEL_MIGRATIONS,
            "slow-operation-detector", ClusterProperty.SLOW_OPERATION_DETECTOR_ENABLED,
            "fail-on-indeterminate", ClusterProperty.FAIL_ON_INDETERMINATE_OPERATION_STATE)
        .forEach((name, of) -> facts.put("setting." + name, properties.getString(of)));
    facts.put("setting.metrics", String.valueOf(config.getMetricsConfig().isEnabled()));
    Map.of(
            "socket-send-buffer", ClusterProperty.SOCKET_SEND_BUFFER_SIZE,
            "socket-receive-buffer", ClusterProperty.SOCKET_RECEIVE_BUFFER_SIZE)
        .forEach(
            (name, of) ->
                facts.put(
                    "setting." + name,
                    String.valueOf(Math.round(properties.getInteger(of) * KIB))));
    return facts;
  }

  /** The threads of this JVM whose name contains a text. */
  private static String threads(String name) {
    return String.valueOf(
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().contains(name))
            .count());
  }

  static Map<String, String> facts(MapConfig map) {
    return Map.of(
        "setting.cache-statistics", String.valueOf(map.isStatisticsEnabled()),
        "setting.entry-statistics", String.valueOf(map.isPerEntryStatsEnabled()),
        "setting.deserialized-values", map.getCacheDeserializedValues().name());
  }

  static Map<String, String> facts(ClientConfig client) {
    return Map.of(
        "setting.backup-acks-to-client", String.valueOf(client.isBackupAckToClientEnabled()));
  }
}
