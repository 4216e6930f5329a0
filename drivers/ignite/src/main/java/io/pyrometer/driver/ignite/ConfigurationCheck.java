package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the running grid says of itself, held against what the trial asks for: a level that the grid
 * does not really have would put a treatment's figures under another's name.
 *
 * @param asked complete settings of the trial
 * @param found the configuration from {@link ClusterConfiguration}
 */
record ConfigurationCheck(Settings asked, Map<String, String> found) {

  /**
   * @param ownCache whether the cache was made as the settings say
   * @throws GridException with one sentence that names everything that differs
   */
  void mustBeAsAsked(ClientNode client, boolean ownCache) {
    List<String> differences = new ArrayList<>();
    if (ownCache) {
      cache(differences);
    }
    if (client.serversKnowUs()) {
      compare("nodes", "cluster.servers", differences);
      version(differences);
      String expected = found.getOrDefault(ThinConnections.EXPECTED, "");
      String connections = found.getOrDefault(ThinConnections.FACT, expected);
      note("thin connections", expected, connections, differences);
      if (!client.ownConfiguration()) {
        storage(differences);
      }
    }
    if (!differences.isEmpty()) {
      throw new GridException(
          "The grid's configuration differs from the trial's: %s."
              .formatted(String.join(", ", differences)));
    }
  }

  private void cache(List<String> differences) {
    for (String name : List.of("atomicity", "synchronisation", "partitions", "read-from-backup")) {
      compare(name, "cache." + name, differences);
    }
    compare("cache-mode", "cache.mode", differences);
    if (asked.text("cache-mode").equals("PARTITIONED")) {
      compare("backups", "cache.backups", differences);
    }
  }

  /** Ignite's own text of a version goes on after the number: 2.17.0#20250209-sha1:… */
  private void version(List<String> differences) {
    String wanted = asked.text(GridSettings.PRODUCT_VERSION.name());
    for (String fact : List.of("cluster.server-version", "client.version")) {
      note(fact, wanted, found.getOrDefault(fact, "").replaceFirst("#.*", ""), differences);
    }
  }

  private void storage(List<String> differences) {
    compare("region", "region.max-bytes", differences);
    compare("persistence", "region.persistence", differences);
    compare("page-eviction", "region.page-eviction", differences);
    if (asked.flag("persistence")) {
      compare("wal-mode", "storage.wal-mode", differences);
      compare("wal-segments", "storage.wal-segments", differences);
    }
  }

  private void compare(String setting, String fact, List<String> differences) {
    if (asked.has(setting) && found.containsKey(fact)) {
      Object value = asked.values().get(setting);
      String text = value instanceof Number ? String.valueOf(asked.number(setting)) : "" + value;
      note(setting, text, found.get(fact), differences);
    }
  }

  private static void note(String what, String wanted, String has, List<String> differences) {
    if (!wanted.equals(has)) {
      differences.add("%s is %s, not %s".formatted(what, has, wanted));
    }
  }
}
