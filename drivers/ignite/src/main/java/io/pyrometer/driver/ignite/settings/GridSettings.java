package io.pyrometer.driver.ignite.settings;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DataFacts.Durability;
import io.pyrometer.protocol.DataFacts.Placement;
import io.pyrometer.protocol.DataFacts.Reads;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The settings that hold for every path: of the nodes' processes, and of a trial's cache. */
public final class GridSettings {
  private static final long MIB = 1 << 20;

  public static final SettingKey<String> PRODUCT_VERSION =
      SettingKey.choice(
              DriverDescription.PRODUCT_VERSION,
              Scope.PROCESS,
              "2.17.0",
              "2.16.0",
              "2.15.0",
              "2.14.0")
          .meaning(
              "Version of Ignite of nodes and agents; others than the first are fetched by Maven"
                  + " when they are first used.");
  public static final SettingKey<Long> REGION =
      SettingKey.bytes("region", Scope.PROCESS, 512 * MIB, 64.0 * MIB, Long.MAX_VALUE)
          .meaning("Memory of a node for data.")
          .ofServers();
  public static final SettingKey<Boolean> PERSISTENCE =
      SettingKey.flag("persistence", Scope.PROCESS, false)
          .meaning("Whether data are also stored on disk.")
          .ofServers();
  public static final SettingKey<String> WAL_MODE =
      SettingKey.choice("wal-mode", Scope.PROCESS, "LOG_ONLY", "FSYNC", "BACKGROUND", "NONE")
          .meaning("How the write-ahead log is written to disk, with persistence.")
          .ofServers()
          .needs("persistence", "true");
  public static final SettingKey<Boolean> WAL_ARCHIVE =
      SettingKey.flag("wal-archive", Scope.PROCESS, true)
          .meaning(
              "Whether finished segments of the write-ahead log are copied to an archive; without"
                  + " it, walArchivePath is walPath.")
          .ofServers()
          .needs("persistence", "true");
  public static final SettingKey<String> CACHE_MODE =
      SettingKey.choice("cache-mode", Scope.CACHE, "PARTITIONED", "REPLICATED")
          .meaning("Whether a node holds a part of the data or all data.");
  public static final SettingKey<String> ATOMICITY =
      SettingKey.choice("atomicity", Scope.CACHE, "ATOMIC", "TRANSACTIONAL")
          .meaning("Whether the cache supports transactions.");
  public static final SettingKey<Integer> BACKUPS =
      SettingKey.integer("backups", Scope.CACHE, 1, 0, 4)
          .meaning("Number of backup copies of a record.")
          .below("nodes")
          .needs("cache-mode", "PARTITIONED");
  public static final SettingKey<String> SYNCHRONISATION =
      SettingKey.choice("synchronisation", Scope.CACHE, "FULL_SYNC", "PRIMARY_SYNC", "FULL_ASYNC")
          .meaning("Which copies a write waits for.");
  public static final SettingKey<Integer> PARTITIONS =
      SettingKey.integer("partitions", Scope.CACHE, 128, 1, 65_000)
          .meaning("Number of partitions.")
          .warmUpAtMost(16);
  public static final SettingKey<String> SQL =
      SettingKey.choice("sql", Scope.CACHE, "off", "code", "annotation")
          .meaning(
              "Whether records are an SQL table, described in code or by annotations of"
                  + " their class.");
  public static final SettingKey<Integer> INDEXES =
      SettingKey.integer("indexes", Scope.CACHE, 0, 0, 64)
          .meaning("Number of fields with an SQL index, starting at the first field.")
          .needs("sql", "code", "annotation");
  public static final SettingKey<Boolean> READ_FROM_BACKUP =
      SettingKey.flag("read-from-backup", Scope.CACHE, true)
          .meaning("Whether a node that holds a backup copy reads from it.");
  public static final SettingKey<Double> TTL =
      SettingKey.seconds("ttl", Scope.CACHE, 0.0, 0, 1e9)
          .meaning("Time to live of a record since it was last written; 0 for ever.");
  public static final SettingKey<Boolean> EAGER_TTL =
      SettingKey.flag("eager-ttl", Scope.CACHE, true)
          .meaning(
              "Whether a thread of the server removes expired records, or only their next use"
                  + " does.");
  public static final SettingKey<Integer> ON_HEAP_ENTRIES =
      SettingKey.integer("on-heap-entries", Scope.CACHE, 0, 0, 1_000_000_000)
          .meaning(
              "Records that each node also keeps on its heap, the least recently used evicted; 0"
                  + " for none.");
  public static final SettingKey<String> PAGE_EVICTION =
      SettingKey.choice("page-eviction", Scope.PROCESS, "DISABLED", "RANDOM_LRU", "RANDOM_2_LRU")
          .meaning(
              "What a node does when its region is 90 % full: nothing (a write then fails when"
                  + " it is full), or it drops pages of records that were not used lately.")
          .ofServers()
          .needs("persistence", "false");
  public static final SettingKey<String> SQL_ENGINE =
      SettingKey.choice("sql-engine", Scope.PROCESS, "h2", "calcite")
          .meaning("SQL engine of nodes and clients: the one of H2, or that of Calcite.");
  public static final SettingKey<String> JMX =
      SettingKey.text("jmx", Scope.PROCESS)
          .meaning(
              "JMX ports of the servers, host:port,…, where those that they name cannot be"
                  + " reached.")
          .ofAttached();
  public static final SettingKey<String> JMX_ACCESS =
      SettingKey.text("jmx-access", Scope.PROCESS)
          .meaning(
              "File of properties with what the JMX ports ask for: user, password, trust-store,"
                  + " trust-store-password, key-store, key-store-password; an absolute path on the"
                  + " hosts of the agents.")
          .ofAttached();
  public static final SettingKey<String> GC_LOGS =
      SettingKey.text("gc-logs", Scope.PROCESS)
          .meaning(
              "GC logs of servers, FILE,…, that doctor reads in place of those that servers on this"
                  + " machine name.")
          .ofAttached();
  public static final SettingKey<String> VALUE_FORM =
      SettingKey.choice(
              "value-form",
              Scope.LOAD,
              "prebuilt",
              "cached-builder",
              "fresh-builder",
              "object",
              "deserialized",
              "from-object")
          .meaning(
              "Form of a written value: a binary object built in advance or by a"
                  + " builder at each write, an object of the record's class, made in advance or"
                  + " deserialised (Java serialization) at each write, or a binary object made from"
                  + " one at each write.");

  /** With persistence, {@code wal-mode} decides what an acknowledged write survives. */
  public static final DataFactRules DATA =
      DataFactRules.NONE
          .copiesWhere(CACHE_MODE, "REPLICATED", 0, CoreSettings.NODES)
          .copies(1, BACKUPS)
          .where(CACHE_MODE, "REPLICATED", Placement.REPLICATED)
          .always(Placement.PARTITIONED)
          .where(SYNCHRONISATION, "FULL_SYNC", Acknowledgement.ALL)
          .where(SYNCHRONISATION, "PRIMARY_SYNC", Acknowledgement.PRIMARY)
          .always(Acknowledgement.NONE)
          .where(PERSISTENCE, false, Durability.MEMORY)
          .where(WAL_MODE, "FSYNC", Durability.DISK)
          .where(WAL_MODE, "LOG_ONLY", Durability.PROCESS_FAILURE)
          .always(Durability.MEMORY)
          // The client's near cache holds a copy too, which a write waits for as for a backup.
          .where(CoreSettings.PATH, "near-get", Reads.ANY)
          .where(CoreSettings.PATH, "near-mixed", Reads.ANY)
          .where(READ_FROM_BACKUP, false, Reads.PRIMARY)
          .always(Reads.ANY);

  public static final List<SettingDescription> ALL =
      SettingKey.descriptions(
          PRODUCT_VERSION,
          REGION,
          PERSISTENCE,
          WAL_MODE,
          WAL_ARCHIVE,
          CACHE_MODE,
          ATOMICITY,
          BACKUPS,
          SYNCHRONISATION,
          PARTITIONS,
          SQL,
          INDEXES,
          READ_FROM_BACKUP,
          TTL,
          EAGER_TTL,
          ON_HEAP_ENTRIES,
          PAGE_EVICTION,
          SQL_ENGINE,
          JMX,
          JMX_ACCESS,
          GC_LOGS,
          VALUE_FORM);

  private GridSettings() {}

  /** The settings given, and beneath them the initial values of these and of {@code others}. */
  public static Settings complete(List<SettingDescription> others, Settings given) {
    Map<String, Object> initial = new TreeMap<>();
    Stream.of(ALL, others)
        .flatMap(List::stream)
        .forEach(setting -> setting.initial().ifPresent(v -> initial.put(setting.name(), v)));
    return new Settings(initial).with(given);
  }

  /** Returns whether nodes drop records by themselves, so that an absent one is not lost. */
  public static boolean mayDrop(Settings complete) {
    return complete.get(TTL) > 0 || !complete.get(PAGE_EVICTION).equals("DISABLED");
  }
}
