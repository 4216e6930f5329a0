package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Comparison of what the running grid reports with what the trial asks for: a level that the grid
 * does not really have would put a treatment's figures under another's name.
 *
 * @param asked complete settings of the trial
 * @param found the configuration from {@link GridConfiguration}
 */
public record ConfigurationCheck(Settings asked, Map<String, String> found) {

  /**
   * @param ownCache whether the cache was made as the settings say
   * @throws GridException with one sentence that names everything that differs
   */
  public void requireAsAsked(ClientNode client, boolean ownCache) {
    List<String> differences = new ArrayList<>();
    if (ownCache) {
      cache(differences);
    }
    if (client.serversKnowUs()) {
      compare(CoreSettings.NODES, "cluster.servers", differences);
      version(differences);
      String expected = found.getOrDefault(ThinConnections.EXPECTED, "");
      String connections = found.getOrDefault(ThinConnections.FACT, expected);
      note("thin connections", expected, connections, differences);
      if (!client.ownConfiguration()) {
        storage(differences);
      }
    }
    asked
        .values()
        .forEach(
            (name, value) -> {
              if (name.startsWith(SettingDescription.PROPERTY) && found.containsKey(name)) {
                note(name, value.toString(), found.getOrDefault(name, ""), differences);
              }
            });
    if (!differences.isEmpty()) {
      throw GridException.of(
          "The grid's configuration differs from the trial's: %s.", String.join(", ", differences));
    }
  }

  private void cache(List<String> differences) {
    compare(GridSettings.ATOMICITY, "cache.atomicity", differences);
    compare(GridSettings.SYNCHRONISATION, "cache.synchronisation", differences);
    compare(GridSettings.PARTITIONS, "cache.partitions", differences);
    compare(GridSettings.READ_FROM_BACKUP, "cache.read-from-backup", differences);
    compare(GridSettings.CACHE_MODE, "cache.mode", differences);
    if (asked.get(GridSettings.CACHE_MODE).equals("PARTITIONED")) {
      compare(GridSettings.BACKUPS, "cache.backups", differences);
    }
  }

  /** Ignite's own text of a version goes on after the number: 2.17.0#20250209-sha1:… */
  private void version(List<String> differences) {
    String wanted = asked.get(GridSettings.PRODUCT_VERSION);
    for (String fact : List.of("cluster.server-version", "client.version")) {
      note(fact, wanted, found.getOrDefault(fact, "").replaceFirst("#.*", ""), differences);
    }
  }

  private void storage(List<String> differences) {
    compare(GridSettings.REGION, "region.max-bytes", differences);
    compare(GridSettings.PERSISTENCE, "region.persistence", differences);
    compare(GridSettings.PAGE_EVICTION, "region.page-eviction", differences);
    if (asked.get(GridSettings.PERSISTENCE)) {
      compare(GridSettings.WAL_MODE, "storage.wal-mode", differences);
    }
  }

  private void compare(SettingKey<?> setting, String fact, List<String> differences) {
    if (asked.has(setting) && found.containsKey(fact)) {
      note(setting.name(), asked.get(setting).toString(), found.get(fact), differences);
    }
  }

  private static void note(String what, String wanted, String has, List<String> differences) {
    if (!wanted.equals(has)) {
      differences.add("%s is %s, not %s".formatted(what, has, wanted));
    }
  }
}
