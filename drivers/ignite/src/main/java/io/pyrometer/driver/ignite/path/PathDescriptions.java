package io.pyrometer.driver.ignite.path;

import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
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

  /** What is updated. */
  static final SettingKey<String> UPDATE_ON =
      SettingKey.text(
          SettingDescription.choice(
              "update-on",
              Scope.LOAD,
              List.of("binary", "object"),
              "What is updated: a binary object, or an object of the record's class."));

  /** The map of a batch. */
  static final SettingKey<String> MAP =
      SettingKey.text(
          SettingDescription.choice(
              "map",
              Scope.LOAD,
              List.of("hash", "sorted"),
              "Map type of a batch; always sorted for a transactional cache."));

  private PathDescriptions() {}

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
}
