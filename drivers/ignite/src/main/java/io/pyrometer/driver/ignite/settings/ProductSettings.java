package io.pyrometer.driver.ignite.settings;

import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Tunable;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Settings that are properties of Ignite's configuration and nothing more. Absent, Ignite's own
 * default holds, or what the user's file says; given, they go before both.
 */
public final class ProductSettings {
  static final String CONFIGURATION = "org.apache.ignite.configuration.";
  static final String NODE = CONFIGURATION + "IgniteConfiguration/";
  static final String STORAGE =
      NODE + "dataStorageConfiguration:" + CONFIGURATION + "DataStorageConfiguration/";
  static final String REGION =
      STORAGE + "defaultDataRegionConfiguration:" + CONFIGURATION + "DataRegionConfiguration/";
  static final String CACHE = CONFIGURATION + "CacheConfiguration/";
  private static final String COMMUNICATION =
      NODE + "communicationSpi:org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi/";

  static final String POOLS = "pools";
  static final String NETWORK = "network";
  static final String MEMORY = "memory";
  static final String CHECKPOINTS = "checkpoints";
  static final String WAL = "wal";
  static final String CACHES = "caches";
  static final String REBALANCING = "rebalancing";

  /** Of settings that touch what a write survives or a read sees. */
  static final String GUARANTEES = "guarantees";

  private static final String CPUS = "max(8, CPUs)";
  private static final double MIB = 1 << 20;
  private static final double MILLIS = 1e3;

  private static final List<SettingKey<?>> KEYS =
      List.of(
          pool("striped-pool", "stripedPoolSize", "Threads that process cache messages."),
          pool("system-pool", "systemThreadPoolSize", "Threads of internal messages."),
          pool("public-pool", "publicThreadPoolSize", "Threads of compute jobs."),
          pool("query-pool", "queryThreadPoolSize", "Threads of SQL and scan queries."),
          pool("streamer-pool", "dataStreamerThreadPoolSize", "Threads of data streamers."),
          count("connections-per-node", 1, 1_000, "TCP connections between two nodes.")
              .ofProduct(NETWORK, COMMUNICATION + "connectionsPerNode", "1", "1", "2", "4"),
          count("selectors", 1, 1_000, "Threads that read from and write to sockets.")
              .ofProduct(
                  NETWORK,
                  COMMUNICATION + "selectorsCount",
                  "max(4, CPUs / 2)",
                  "1",
                  "2",
                  "4",
                  "8"),
          flag("direct-buffer", "Whether buffers of sockets are off-heap.")
              .ofProduct(NETWORK, COMMUNICATION + "directBuffer", "on", "on", "off"),
          flag("direct-send-buffer", "Whether messages are written to off-heap buffers.")
              .ofProduct(NETWORK, COMMUNICATION + "directSendBuffer", "off", "on", "off"),
          bytes("socket-send-buffer", 0, 1e9, "Send buffer of a socket; 0 as the system chooses.")
              .ofProduct(
                  NETWORK, COMMUNICATION + "socketSendBuffer", "0", "0", "32k", "256k", "1m"),
          bytes("socket-receive-buffer", 0, 1e9, "Receive buffer of a socket; 0 as the system's.")
              .ofProduct(
                  NETWORK, COMMUNICATION + "socketReceiveBuffer", "0", "0", "32k", "256k", "1m"),
          count("message-queue-limit", 0, 1e9, "Messages that wait for a node; 0 for no limit.")
              .ofProduct(NETWORK, COMMUNICATION + "messageQueueLimit", "0", "0", "256", "1024"),
          bytes("page-size", 1024, 16_384, "Page of a data region: a power of two.")
              .ofServers()
              .ofProduct(MEMORY, STORAGE + "pageSize", "4k", "4k", "8k", "16k"),
          flag("lazy-allocation", "Whether a region is allocated only when a cache needs it.")
              .ofServers()
              .tunable(MEMORY, REGION + "lazyMemoryAllocation", "on", "off"),
          SettingKey.choice(
                  "page-replacement", Scope.PROCESS, "CLOCK", "RANDOM_LRU", "SEGMENTED_LRU")
              .withoutDefault()
              .meaning("Which page leaves a full region, with persistence.")
              .ofServers()
              .needs("persistence", "true")
              .tunable(
                  MEMORY,
                  REGION + "pageReplacementMode:" + CONFIGURATION + "PageReplacementMode",
                  "CLOCK",
                  "RANDOM_LRU",
                  "SEGMENTED_LRU"),
          stored(seconds("checkpoint-frequency", 0.1, 86_400, "From one checkpoint to the next."))
              .tunable(
                  MILLIS,
                  CHECKPOINTS,
                  STORAGE + "checkpointFrequency",
                  "10s",
                  "60s",
                  "180s",
                  "600s"),
          stored(count("checkpoint-threads", 1, 256, "Threads that write a checkpoint."))
              .tunable(CHECKPOINTS, STORAGE + "checkpointThreads", "1", "2", "4", "8"),
          stored(
                  bytes(
                      "checkpoint-buffer",
                      0,
                      1e12,
                      "Memory for pages that change while a checkpoint is written; 0 by the"
                          + " region's size."))
              .tunable(CHECKPOINTS, REGION + "checkpointPageBufferSize", "0", "128m", "512m"),
          stored(
                  flag(
                      "write-throttling",
                      "Whether writes slow down before a checkpoint stops them."))
              .tunable(CHECKPOINTS, STORAGE + "writeThrottlingEnabled", "off", "on"),
          stored(bytes("wal-segment-size", 512 * 1024, 2047 * MIB, "One file of the WAL."))
              .tunable(WAL, STORAGE + "walSegmentSize", "16m", "64m", "256m"),
          stored(bytes("wal-buffer", 0, 1e9, "Buffer of the WAL; 0 for a quarter of a segment."))
              .tunable(WAL, STORAGE + "walBufferSize", "0", "4m", "32m"),
          stored(flag("wal-compaction", "Whether archived segments of the WAL are compressed."))
              .tunable(WAL, STORAGE + "walCompactionEnabled", "off", "on"),
          count("rebalance-pool", 1, 256, "Threads that move partitions.")
              .ofServers()
              .tunable(REBALANCING, NODE + "rebalanceThreadPoolSize", "1", "2", "4"),
          bytes("rebalance-batch", 1_024, 1e9, "Bytes of a message that moves partitions.")
              .ofServers()
              .tunable(REBALANCING, NODE + "rebalanceBatchSize", "128k", "512k", "2m"),
          seconds("rebalance-throttle", 0, 60, "Pause between such messages.")
              .ofServers()
              .tunable(MILLIS, REBALANCING, NODE + "rebalanceThrottle", "0s", "0.01s", "0.1s"),
          cacheFlag("copy-on-read", "Whether reads on a node copy the value.")
              .tunable(CACHES, CACHE + "copyOnRead", "on", "off"),
          cacheFlag("cache-statistics", "Whether the cache counts and times its operations.")
              .tunable(CACHES, CACHE + "statisticsEnabled", "off", "on"),
          SettingKey.integer("query-parallelism", Scope.CACHE, 1, 1, 256)
              .withoutDefault()
              .meaning("Threads of a node for one SQL query.")
              .tunable(CACHES, CACHE + "queryParallelism", "1", "2", "4"));

  public static final List<SettingDescription> ALL =
      KEYS.stream().map(ProductSettings::described).toList();

  private ProductSettings() {}

  private static SettingKey<Integer> count(String name, double least, double most, String text) {
    return SettingKey.integer(name, Scope.PROCESS, (long) least, (long) least, (long) most)
        .withoutDefault()
        .meaning(text);
  }

  private static SettingKey<Integer> pool(String name, String property, String text) {
    return count(name, 1, 1_024, text)
        .ofServers()
        .ofProduct(POOLS, NODE + property, CPUS, "2", "4", "8", "16");
  }

  private static SettingKey<Boolean> flag(String name, String text) {
    return SettingKey.flag(name, Scope.PROCESS, false).withoutDefault().meaning(text);
  }

  private static SettingKey<Boolean> cacheFlag(String name, String text) {
    return SettingKey.flag(name, Scope.CACHE, false).withoutDefault().meaning(text);
  }

  private static SettingKey<Long> bytes(String name, double least, double most, String text) {
    return SettingKey.bytes(name, Scope.PROCESS, 0, least, most).withoutDefault().meaning(text);
  }

  private static SettingKey<Double> seconds(String name, double least, double most, String text) {
    return SettingKey.seconds(name, Scope.PROCESS, 0, least, most).withoutDefault().meaning(text);
  }

  private static <T> SettingKey<T> stored(SettingKey<T> key) {
    return key.ofServers().needs("persistence", "true");
  }

  /**
   * With the default that the product itself has, where the declaration gives none: it does where
   * Pyrometer's configuration has another than Ignite's class, or the class cannot be made without
   * the flags of a node's JVM.
   */
  private static SettingDescription described(SettingKey<?> key) {
    SettingDescription setting = key.description();
    Tunable how = setting.traits().tunable().orElseThrow();
    return how.productDefault().isPresent()
        ? setting
        : key.tunable(
                new Tunable(
                    how.group(),
                    how.levels(),
                    how.property(),
                    how.factor(),
                    BeanProperty.of(setting).map(BeanProperty::productDefault)))
            .description();
  }

  /** Sets what is given of the settings in the configuration of a server node. */
  public static void apply(Settings settings, Object configuration) {
    apply(settings, configuration, Set.of());
  }

  /** Sets what is given of the settings that hold for a client as well. */
  public static void applyToClient(Settings settings, Object configuration) {
    apply(settings, configuration, Set.of(NETWORK));
  }

  private static void apply(Settings settings, Object bean, Set<String> groups) {
    for (SettingDescription setting : ALL) {
      String group = setting.traits().tunable().map(Tunable::group).orElse("");
      if (settings.has(setting.name()) && (groups.isEmpty() || groups.contains(group))) {
        BeanProperty.of(setting)
            .filter(property -> property.beginsAt(bean))
            .ifPresent(
                property -> property.set(bean, settings.values().getOrDefault(setting.name(), "")));
      }
    }
  }

  /** What holds in a configuration, by the name of the setting behind {@code setting.}. */
  public static Map<String, String> facts(Object configuration) {
    Map<String, String> facts = new TreeMap<>();
    for (SettingDescription setting : ALL) {
      BeanProperty.of(setting)
          .filter(property -> property.beginsAt(configuration))
          .flatMap(property -> property.text(configuration))
          .ifPresent(text -> facts.put(fact(setting.name()), text));
    }
    return facts;
  }

  /** The name of a setting among the facts of a configuration. */
  public static String fact(String setting) {
    return "setting." + setting;
  }

  /** The names of those that are given. */
  public static Stream<String> given(Settings settings) {
    return ALL.stream().map(SettingDescription::name).filter(settings::has);
  }
}
