package io.pyrometer.protocol;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The description of a running grid by itself.
 *
 * @param servers that form it; empty where the product does not tell
 * @param facts about its servers by name, in the order to show them
 * @param caches those that were named first, then others
 * @param others the number of further caches
 */
public record GridDescription(
    Optional<Integer> servers,
    Map<String, String> facts,
    List<CacheDescription> caches,
    int others) {

  /**
   * A cache of the grid.
   *
   * @param settings of the running cache, by the names that the driver's settings have
   * @param records empty where they could not be counted
   * @param bytes of a record, the mean of some; empty where none was read
   */
  public record CacheDescription(
      String name, Map<String, String> settings, Optional<Long> records, Optional<Long> bytes) {

    public CacheDescription {
      settings = new TreeMap<>(settings);
    }
  }
}
