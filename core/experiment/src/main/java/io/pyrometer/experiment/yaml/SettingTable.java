package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Settings as rows for people: the reference page and {@code pyrometer list} show the same. */
public final class SettingTable {

  /** The heads of the columns. */
  public static final List<String> COLUMNS =
      List.of("setting", "values", "default", "scope", "for", "meaning");

  /**
   * One row.
   *
   * @param values its type and bounds, in words
   * @param initial the default, as a file would say it; by path where paths differ
   * @param appliesTo the paths, jobs or processes that it is for
   */
  public record Row(
      String name, String values, String initial, Scope scope, String appliesTo, String summary) {

    /** The cells under {@link #COLUMNS}. */
    public List<String> cells() {
      return List.of(
          name, values, initial, scope.name().toLowerCase(Locale.ROOT), appliesTo, summary);
    }
  }

  private SettingTable() {}

  /** The settings of every driver. */
  public static List<Row> ofCore() {
    return CoreSettings.ALL.stream().map(SettingTable::row).toList();
  }

  /** The settings that hold for every path of a driver. */
  public static List<Row> of(DriverDescription driver) {
    return driver.settings().stream().map(SettingTable::row).toList();
  }

  /** The settings that only some paths of a driver have. */
  public static List<Row> ofPaths(DriverDescription driver) {
    Map<String, List<PathDescription>> byName = new LinkedHashMap<>();
    for (PathDescription path : driver.paths()) {
      path.settings()
          .forEach(s -> byName.computeIfAbsent(s.name(), name -> new ArrayList<>()).add(path));
    }
    List<Row> rows = new ArrayList<>();
    byName.forEach((name, paths) -> rows.add(row(name, paths)));
    return rows;
  }

  private static Row row(SettingDescription setting) {
    List<String> jobs = setting.traits().jobs().stream().map(SettingTable::word).toList();
    String jobWords = jobs.isEmpty() ? "all" : String.join(", ", jobs) + " paths";
    return new Row(
        setting.name(),
        values(setting),
        SettingText.initial(setting),
        setting.scope(),
        setting.traits().ofServers() ? "started nodes" : jobWords,
        setting.summary());
  }

  private static Row row(String name, List<PathDescription> paths) {
    Map<String, List<String>> byInitial = new LinkedHashMap<>();
    for (PathDescription path : paths) {
      byInitial
          .computeIfAbsent(SettingText.initial(of(path, name)), i -> new ArrayList<>())
          .add(path.name());
    }
    String initial =
        byInitial.size() == 1
            ? byInitial.keySet().iterator().next()
            : byInitial.entrySet().stream()
                .map(each -> each.getKey() + " (" + String.join(", ", each.getValue()) + ")")
                .collect(Collectors.joining("; "));
    SettingDescription first = of(paths.get(0), name);
    return new Row(
        name,
        values(first),
        initial,
        first.scope(),
        paths.stream().map(PathDescription::name).collect(Collectors.joining(", ")),
        first.summary());
  }

  private static SettingDescription of(PathDescription path, String name) {
    return path.settings().stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String values(SettingDescription setting) {
    String below = setting.traits().below().map(other -> ", below '" + other + "'").orElse("");
    String needs = setting.traits().needs().map(need -> "; needs " + need.words()).orElse("");
    return SettingText.values(setting) + below + needs;
  }

  private static String word(Job job) {
    return job.id();
  }
}
