package io.pyrometer.driver.ignite3;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Tunable;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Settings that are keys of a node's configuration and nothing more; absent, Ignite's hold. */
final class NodeSettings {
  static final String GUARANTEES = "guarantees";
  static final String STORAGE = "storage";
  static final String IN_MEMORY = "aimem";
  static final String ON_DISK = "aipersist";

  private static final String POOLS = "pools";
  private static final String RAFT = "raft";
  private static final String ENGINES = "ignite.storage.engines.";
  private static final String CHECKPOINT = ENGINES + ON_DISK + ".checkpoint.";
  private static final double MILLIS = 1e3;
  private static final long INITIAL_BYTES = 64L << 20;

  static final SettingKey<String> ENGINE =
      SettingKey.choice("engine", Scope.PROCESS, IN_MEMORY, ON_DISK, "rocksdb")
          .meaning("Storage engine of the tables: in memory alone, or on disk.")
          .ofServers()
          .tunable(GUARANTEES, "ignite.storage.profiles.engine");
  static final SettingKey<Boolean> FSYNC =
      SettingKey.flag("raft-fsync", Scope.PROCESS, false)
          .meaning("Whether the Raft log is flushed to disk before a write is acknowledged.")
          .ofServers()
          .tunable(GUARANTEES, "ignite.raft.fsync");

  static final List<SettingDescription> ALL =
      SettingKey.descriptions(
          FSYNC,
          count(
              "raft-stripes",
              "Threads that process the Raft groups of a node.",
              RAFT,
              "ignite.raft.disruptor.stripes",
              "max(1, CPUs)",
              "1",
              "2",
              "4",
              "8"),
          count(
              "raft-log-stripes",
              "Threads that append to the Raft log.",
              RAFT,
              "ignite.raft.disruptor.logManagerStripes",
              "4",
              "1",
              "2",
              "4",
              "8"),
          SettingKey.integer("raft-queue", Scope.PROCESS, 16_384, 64, 1 << 20)
              .meaning("Requests that such a thread has in its queue, at most: a power of two.")
              .ofServers()
              .ofProduct(
                  RAFT, "ignite.raft.disruptor.queueSize", "16384", "1024", "16384", "65536"),
          count(
              "compute-threads",
              "Threads of a node for compute jobs.",
              POOLS,
              "ignite.compute.threadPoolSize",
              "max(8, CPUs)",
              "2",
              "4",
              "8",
              "16"),
          count(
              "sql-threads",
              "Threads of a node that execute SQL.",
              POOLS,
              "ignite.sql.execution.threadCount",
              "4",
              "1",
              "2",
              "4",
              "8"),
          count(
              "sql-planner-threads",
              "Threads of a node that plan SQL.",
              POOLS,
              "ignite.sql.planner.threadCount",
              "4",
              "1",
              "2",
              "4",
              "8"),
          SettingKey.bytes("page-size", Scope.PROCESS, 16_384, 1_024, 16_384)
              .meaning("Page of the storage engine: a power of two.")
              .ofServers()
              .needs(ENGINE.name(), IN_MEMORY, ON_DISK)
              .ofProduct(STORAGE, ENGINES + IN_MEMORY + ".pageSizeBytes", "16k", "4k", "8k", "16k"),
          SettingKey.seconds("checkpoint-interval", Scope.PROCESS, 180, 0.1, 86_400)
              .meaning("From one checkpoint to the next.")
              .ofServers()
              .needs(ENGINE.name(), ON_DISK)
              .ofProduct(
                  MILLIS,
                  STORAGE,
                  CHECKPOINT + "intervalMillis",
                  "180s",
                  "10s",
                  "60s",
                  "180s",
                  "600s"),
          count(
                  "checkpoint-threads",
                  "Threads that write a checkpoint.",
                  STORAGE,
                  CHECKPOINT + "checkpointThreads",
                  "4",
                  "1",
                  "2",
                  "4",
                  "8")
              .needs(ENGINE.name(), ON_DISK),
          SettingKey.flag("tcp-no-delay", Scope.PROCESS, true)
              .meaning("Whether packets between nodes are sent without waiting for others.")
              .ofServers()
              .ofProduct("network", "ignite.network.outbound.tcpNoDelay", "on", "on", "off"));

  private NodeSettings() {}

  private static SettingKey<Integer> count(
      String name, String text, String group, String property, String own, String... levels) {
    return SettingKey.integer(name, Scope.PROCESS, 1, 1, 1_024)
        .meaning(text)
        .ofServers()
        .ofProduct(group, property, own, levels);
  }

  /** The key of a setting; that of an engine is of the engine in use. */
  private static String key(String property, String engine) {
    return property.replace(ENGINES + IN_MEMORY, ENGINES + engine);
  }

  /** The storage profile of tables, and what is given, as lines of a node's configuration. */
  static String configuration(Settings complete) {
    String engine = complete.get(ENGINE);
    long region = complete.get(Ignite3Driver.REGION);
    String size =
        engine.equals(IN_MEMORY)
            ? "initSizeBytes: %d, maxSizeBytes: %d"
                .formatted(Math.min(INITIAL_BYTES, region), region)
            : "sizeBytes: " + region;
    String profile =
        "ignite.storage.profiles: [{name: default, engine: %s, %s}]\n".formatted(engine, size);
    return SettingDescription.productValues(ALL, complete).entrySet().stream()
        .map(each -> "%s: %s\n".formatted(key(each.getKey(), engine), each.getValue()))
        .collect(Collectors.joining("", profile, ""));
  }

  /**
   * What a running node has.
   *
   * @param node its configuration, as its REST endpoint tells it
   */
  static Map<String, String> facts(JsonNode node) {
    Map<String, String> facts = new TreeMap<>();
    JsonNode profile = node.at("/ignite/storage/profiles");
    JsonNode first = profile.isArray() ? profile.path(0) : profile.path("default");
    String engine = first.path("engine").asText();
    facts.put("setting." + ENGINE, engine);
    facts.put(
        "setting.region",
        first.path(engine.equals(IN_MEMORY) ? "maxSizeBytes" : "sizeBytes").asText());
    for (SettingDescription setting : ALL) {
      String property = setting.traits().tunable().map(Tunable::property).orElse("");
      JsonNode value = node.at("/" + key(property, engine).replace('.', '/'));
      if (!value.isMissingNode()) {
        facts.put(
            "setting." + setting.name(),
            setting.type() == SettingDescription.Type.SECONDS
                ? String.valueOf(value.asLong() / MILLIS)
                : value.asText());
      }
    }
    return facts;
  }
}
