package io.pyrometer.driver.ignite;

import static io.pyrometer.protocol.SettingDescription.choice;
import static io.pyrometer.protocol.SettingDescription.flag;
import static io.pyrometer.protocol.SettingDescription.integer;
import static io.pyrometer.protocol.SettingDescription.numeric;

import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.protocol.DriverDescription.MemoryNeed;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The settings that hold for every path: of the nodes' processes, and of a trial's cache. */
final class GridSettings {
  private static final long MIB = 1 << 20;

  static final SettingKey<Long> REGION =
      SettingKey.number(
          numeric(
                  "region",
                  SettingDescription.Type.BYTES,
                  Scope.PROCESS,
                  512 * MIB,
                  64.0 * MIB,
                  Long.MAX_VALUE,
                  "Memory that a node may use for data.")
              .ofServers());
  static final SettingKey<Boolean> PERSISTENCE =
      SettingKey.flag(
          flag("persistence", Scope.PROCESS, false, "Whether the data are kept in files too.")
              .ofServers());
  static final SettingKey<String> WAL_MODE =
      SettingKey.text(
          choice(
                  "wal-mode",
                  Scope.PROCESS,
                  List.of("LOG_ONLY", "FSYNC", "BACKGROUND", "NONE"),
                  "How the write-ahead log reaches the disk, with persistence.")
              .ofServers());
  static final SettingKey<Integer> WAL_SEGMENTS =
      SettingKey.integer(
          integer(
                  "wal-segments",
                  Scope.PROCESS,
                  10,
                  2,
                  1_000,
                  "Files that the write-ahead log uses in turn, with persistence; a node writes"
                      + " all of them, 64 MB each, when it starts.")
              .ofServers());
  static final SettingKey<String> CACHE_MODE =
      SettingKey.text(
          choice(
              "cache-mode",
              Scope.CACHE,
              List.of("PARTITIONED", "REPLICATED"),
              "Whether a node holds a part of the data or all of it."));
  static final SettingKey<String> ATOMICITY =
      SettingKey.text(
          choice(
              "atomicity",
              Scope.CACHE,
              List.of("ATOMIC", "TRANSACTIONAL"),
              "Whether the cache takes part in transactions."));
  static final SettingKey<Integer> BACKUPS =
      SettingKey.integer(
          integer("backups", Scope.CACHE, 1, 0, 4, "Copies of a record beside the primary one.")
              .below("nodes"));
  static final SettingKey<String> SYNCHRONISATION =
      SettingKey.text(
          choice(
              "synchronisation",
              Scope.CACHE,
              List.of("FULL_SYNC", "PRIMARY_SYNC", "FULL_ASYNC"),
              "Which copies a write waits for."));
  static final SettingKey<Integer> PARTITIONS =
      SettingKey.integer(
          integer(
                  "partitions",
                  Scope.CACHE,
                  128,
                  1,
                  65_000,
                  "Parts that the keys are divided into.")
              .warmUpAtMost(16));
  static final SettingKey<String> SQL =
      SettingKey.text(
          choice(
              "sql",
              Scope.CACHE,
              List.of("off", "code", "annotation"),
              "Whether SQL sees the records, as a table described in code or by annotations of "
                  + "their class."));
  static final SettingKey<Integer> INDEXES =
      SettingKey.integer(
          integer("indexes", Scope.CACHE, 0, 0, 64, "Fields with an SQL index, the first ones."));
  static final SettingKey<Boolean> READ_FROM_BACKUP =
      SettingKey.flag(
          flag(
              "read-from-backup",
              Scope.CACHE,
              true,
              "Whether a node that holds a backup copy reads that one."));
  static final SettingKey<String> VALUE_FORM =
      SettingKey.text(
          choice(
              "value-form",
              Scope.LOAD,
              RecordValues.FORMS,
              "What a value is when it is written: a binary object made beforehand or by a builder "
                  + "at each write, an object of the record's class, or a binary object made from "
                  + "one at each write."));

  static final List<SettingDescription> ALL =
      Stream.<SettingKey<?>>of(
              REGION,
              PERSISTENCE,
              WAL_MODE,
              WAL_SEGMENTS,
              CACHE_MODE,
              ATOMICITY,
              BACKUPS,
              SYNCHRONISATION,
              PARTITIONS,
              SQL,
              INDEXES,
              READ_FROM_BACKUP,
              VALUE_FORM)
          .<SettingDescription>map(SettingKey::description)
          .toList();

  /**
   * The data region, and with persistence the buffer for pages that change during a checkpoint: a
   * quarter of the region, at least 256 MB or the whole region.
   */
  static final List<MemoryNeed> SERVER_MEMORY =
      List.of(
          MemoryNeed.of(REGION.name()),
          new MemoryNeed(REGION.name(), 0.25, 256 * MIB, Optional.of(PERSISTENCE.name())));

  private GridSettings() {}

  /** The settings given, and beneath them the initial values of these and of {@code others}. */
  static Settings complete(List<SettingDescription> others, Settings given) {
    Map<String, Object> initial = new TreeMap<>();
    Stream.of(ALL, others)
        .flatMap(List::stream)
        .forEach(setting -> setting.initial().ifPresent(v -> initial.put(setting.name(), v)));
    return new Settings(initial).with(given);
  }

  /** Those that a cache is made with. */
  static Settings ofCache(Settings complete) {
    Map<String, Object> values = new TreeMap<>(complete.values());
    values
        .keySet()
        .retainAll(
            ALL.stream()
                .filter(setting -> setting.scope() == Scope.CACHE)
                .map(SettingDescription::name)
                .toList());
    return new Settings(values);
  }
}
