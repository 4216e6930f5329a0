package io.pyrometer.experiment;

import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings and paths that an experiment with one driver may speak of. */
final class Vocabulary {
  /** Of processes, and not only of nodes. */
  private static final Set<String> OF_AGENTS = Set.of("agent-heap", "agent-jvm-args", "telemetry");

  /** A relay stands before nodes whose addresses Pyrometer knows. */
  private static final String OF_RELAYS = "client-";

  private final Map<String, SettingDescription> everywhere = new LinkedHashMap<>();
  private final Map<String, SettingDescription> anywhere = new LinkedHashMap<>();
  private final Map<String, PathDescription> paths = new LinkedHashMap<>();
  private final boolean hasNodes;

  Vocabulary(List<SettingDescription> core, DriverDescription driver) {
    hasNodes = driver.capabilities().contains("nodes");
    core.forEach(setting -> everywhere.put(setting.name(), setting));
    driver.settings().forEach(setting -> everywhere.put(setting.name(), setting));
    anywhere.putAll(everywhere);
    for (PathDescription path : driver.paths()) {
      paths.put(path.name(), path);
      path.settings().forEach(setting -> anywhere.putIfAbsent(setting.name(), setting));
    }
  }

  /** Whether grids of this product have server nodes that Pyrometer can start. */
  boolean hasNodes() {
    return hasNodes;
  }

  /** Whether a setting has no sense without server nodes that Pyrometer starts. */
  static boolean ofNodes(SettingDescription setting) {
    return setting.name().equals(Planner.THREADS_PER_NODE)
        || setting.name().startsWith(OF_RELAYS)
        || (setting.scope() == SettingDescription.Scope.PROCESS
            && !OF_AGENTS.contains(setting.name()));
  }

  Optional<PathDescription> path(String name) {
    return Optional.ofNullable(paths.get(name));
  }

  Collection<String> pathNames() {
    return paths.keySet();
  }

  /** A setting of the core, of the driver, or of any of its paths. */
  Optional<SettingDescription> setting(String name) {
    return Optional.ofNullable(anywhere.get(name));
  }

  Collection<String> settingNames() {
    return anywhere.keySet();
  }

  /** The settings that a path heeds. */
  Map<String, SettingDescription> heededBy(PathDescription path) {
    Map<String, SettingDescription> heeded = new LinkedHashMap<>(everywhere);
    path.settings().forEach(setting -> heeded.put(setting.name(), setting));
    return heeded;
  }

  /** The paths that heed a setting. */
  List<String> heeding(String setting) {
    return paths.values().stream()
        .filter(path -> heededBy(path).containsKey(setting))
        .map(PathDescription::name)
        .toList();
  }

  /** Every setting that the path heeds: as given, else its initial value, else absent. */
  Settings complete(PathDescription path, Settings given) {
    Map<String, Object> complete = new HashMap<>();
    for (SettingDescription setting : heededBy(path).values()) {
      Optional<Object> value =
          Optional.ofNullable(given.values().get(setting.name())).or(setting::initial);
      if (value.isPresent()) {
        complete.put(setting.name(), SettingText.canonical(setting, value.get()));
      }
    }
    return new Settings(complete);
  }
}
