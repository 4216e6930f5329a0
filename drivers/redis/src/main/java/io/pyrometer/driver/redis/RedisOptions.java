package io.pyrometer.driver.redis;

import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings that are options of {@code redis.conf}, under the names that they have there. */
final class RedisOptions {
  static final String GUARANTEES = "guarantees";

  private static final String POOLS = "pools";
  private static final String PERSISTENCE = "persistence";
  private static final String REPLICATION = "replication";
  private static final String BACKGROUND = "background";
  private static final double MILLIS = 1e3;

  static final SettingKey<Boolean> APPEND_ONLY =
      SettingKey.flag("appendonly", Scope.PROCESS, false)
          .meaning("Whether writes are also appended to a file (AOF).")
          .ofServers()
          .tunable(GUARANTEES, "appendonly");
  static final SettingKey<String> APPEND_FSYNC =
      SettingKey.choice("appendfsync", Scope.PROCESS, "everysec", "always", "no")
          .meaning("When this file is flushed to disk: each second, before each reply, or never.")
          .ofServers()
          .needs(APPEND_ONLY.name(), "true")
          .ofProduct(GUARANTEES, "appendfsync", "everysec");
  static final SettingKey<Double> NODE_TIMEOUT =
      SettingKey.seconds("cluster-node-timeout", Scope.PROCESS, 2, 0.1, 3_600)
          .meaning("Silence after which a process counts as failed; Redis's default is 15 s.")
          .ofServers()
          .tunable(MILLIS, REPLICATION, "cluster-node-timeout");

  static final List<SettingDescription> ALL =
      SettingKey.descriptions(
          APPEND_ONLY,
          APPEND_FSYNC,
          flag(
                  "no-appendfsync-on-rewrite",
                  "Whether the file is not flushed while it is rewritten.",
                  GUARANTEES,
                  "no")
              .needs(APPEND_ONLY.name(), "true"),
          count(
                  "auto-aof-rewrite-percentage",
                  0,
                  10_000,
                  "Growth of the file, in percent, after which it is rewritten; 0 for never.",
                  PERSISTENCE,
                  "100",
                  "0",
                  "100",
                  "400")
              .needs(APPEND_ONLY.name(), "true"),
          count(
                  "min-replicas-to-write",
                  0,
                  1,
                  "Replicas that must be connected for a master to take writes.",
                  GUARANTEES,
                  "0")
              .needs("backups"),
          count(
              "io-threads",
              1,
              128,
              "Threads of a process that write to sockets.",
              POOLS,
              "1",
              "1",
              "2",
              "4"),
          flag(
              "io-threads-do-reads",
              "Whether these threads also read and parse requests.",
              POOLS,
              "no",
              "off",
              "on"),
          SettingKey.bytes("repl-backlog-size", Scope.PROCESS, 1 << 20, 16_384, 1e12)
              .meaning("Writes that a master keeps for replicas whose connection was lost.")
              .ofServers()
              .needs("backups")
              .ofProduct(REPLICATION, "repl-backlog-size", "1m", "1m", "16m", "64m"),
          flag(
                  "repl-disable-tcp-nodelay",
                  "Whether packets to replicas wait for each other, up to 40 ms.",
                  REPLICATION,
                  "no",
                  "off",
                  "on")
              .needs("backups"),
          NODE_TIMEOUT,
          count(
              "hz",
              1,
              500,
              "Runs of background tasks per second.",
              BACKGROUND,
              "10",
              "1",
              "10",
              "100"),
          flag(
              "activerehashing",
              "Whether tables are also rehashed between requests, 1 ms in 100 ms.",
              BACKGROUND,
              "yes",
              "on",
              "off"),
          flag(
              "lazyfree-lazy-user-del",
              "Whether another thread frees the memory of removed records.",
              BACKGROUND,
              "no",
              "off",
              "on"),
          flag(
              "latency-tracking",
              "Whether the latencies of each command are counted.",
              BACKGROUND,
              "yes",
              "on",
              "off"));

  private RedisOptions() {}

  private static SettingKey<Integer> count(
      String name, int least, int most, String text, String group, String own, String... levels) {
    return SettingKey.integer(name, Scope.PROCESS, least, least, most)
        .meaning(text)
        .ofServers()
        .ofProduct(group, name, own, levels);
  }

  private static SettingKey<Boolean> flag(
      String name, String text, String group, String own, String... levels) {
    return SettingKey.flag(name, Scope.PROCESS, false)
        .meaning(text)
        .ofServers()
        .ofProduct(group, name, own.equals("yes") ? "on" : "off", levels);
  }

  /** The options that are given, as on a command line. */
  static Map<String, String> arguments(Settings settings) {
    Map<String, String> arguments = new LinkedHashMap<>();
    SettingDescription.productValues(ALL, settings)
        .forEach((option, value) -> arguments.put("--" + option, yesOrNo(value)));
    return arguments;
  }

  private static String yesOrNo(String value) {
    return value.equals("true") ? "yes" : value.equals("false") ? "no" : value;
  }

  /**
   * A value that Redis answers with, as that of the setting.
   *
   * @param value of {@code CONFIG GET}
   */
  static String canonical(SettingDescription setting, String value) {
    return switch (setting.type()) {
      case FLAG -> String.valueOf(value.equals("yes"));
      case SECONDS -> String.valueOf(Long.parseLong(value) / MILLIS);
      default -> value;
    };
  }
}
