package io.pyrometer.driver.ignite.path;

import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.List;
import java.util.stream.Stream;

/** Shorthand for descriptions of paths and their settings. */
final class PathDescriptions {
  /** Either of two writes to a key may remain. */
  static final Guarantee UNORDERED = new Guarantee(true, false, true, false);

  /** The first write to a key remains. */
  static final Guarantee FIRST_STAYS = new Guarantee(false, false, true, false);

  /** What another writer puts between reading and writing back is lost. */
  static final Guarantee READ_THEN_WRITE = new Guarantee(true, true, true, false);

  private PathDescriptions() {}

  static SettingDescription updateOn() {
    return SettingDescription.choice(
        "update-on",
        Scope.LOAD,
        List.of("binary", "object"),
        "What is updated: a binary object, or an object of the record's class.");
  }

  /** The same path with the settings of thin clients. */
  static PathDescription thin(PathDescription path) {
    return new PathDescription(
        path.name(),
        path.job(),
        path.plainest(),
        path.summary(),
        path.guarantee(),
        Stream.of(path.settings(), ThinClients.SETTINGS).flatMap(List::stream).toList(),
        path.onServers());
  }

  static SettingDescription batch(int initial) {
    return SettingDescription.integer(
        "batch", Scope.LOAD, initial, 1, 10_000_000, "Records per call.");
  }

  static SettingDescription inFlight(int initial) {
    return SettingDescription.integer(
            "in-flight", Scope.LOAD, initial, 1, 1_000_000, "Calls in flight at once, per thread.")
        .warmUpAtMost(4);
  }

  static SettingDescription map() {
    return SettingDescription.choice(
        "map",
        Scope.LOAD,
        List.of("hash", "sorted"),
        "Map type of a batch; always sorted for a transactional cache.");
  }
}
