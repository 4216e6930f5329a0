package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Settings and paths as tables for people, from their declarations: the reference page and {@code
 * pyrometer list} show the same rows.
 */
public final class Reference {

  public static final List<String> COLUMNS =
      List.of("setting", "values", "default", "scope", "for", "meaning");

  /**
   * One setting.
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

    private static Row of(SettingDescription setting, String initial, String appliesTo) {
      String below = setting.traits().below().map(other -> ", below '" + other + "'").orElse("");
      String needs = setting.traits().needs().map(need -> "; needs " + need.words()).orElse("");
      String values = SettingText.values(setting) + below + needs;
      return new Row(
          setting.name(), values, initial, setting.scope(), appliesTo, setting.summary());
    }
  }

  private Reference() {}

  /** The settings of every driver. */
  public static List<Row> ofCore() {
    return CoreSettings.ALL.stream().map(Reference::row).toList();
  }

  /** The settings that hold for every path of a driver. */
  public static List<Row> of(DriverDescription driver) {
    return driver.settings().stream().map(Reference::row).toList();
  }

  /** The settings that only some of these paths have. */
  public static List<Row> ofPaths(List<PathDescription> paths) {
    Map<String, Map<PathDescription, SettingDescription>> byName = new LinkedHashMap<>();
    for (PathDescription path : paths) {
      for (SettingDescription setting : path.settings()) {
        byName.computeIfAbsent(setting.name(), name -> new LinkedHashMap<>()).put(path, setting);
      }
    }
    return byName.values().stream().map(byPath -> row(byPath, paths.size())).toList();
  }

  private static Row row(SettingDescription setting) {
    List<String> jobs = setting.traits().jobs().stream().map(Job::id).toList();
    String paths = jobs.isEmpty() ? "all" : String.join(", ", jobs) + " paths";
    return Row.of(
        setting,
        SettingText.initial(setting),
        setting.traits().ofServers()
            ? "started nodes"
            : setting.traits().ofAttached() ? "attached grids" : paths);
  }

  private static Row row(Map<PathDescription, SettingDescription> byPath, int of) {
    Map<String, List<String>> byInitial = new LinkedHashMap<>();
    byPath.forEach(
        (path, setting) -> ListsByKey.add(byInitial, SettingText.initial(setting), path.name()));
    String initial =
        byInitial.size() == 1
            ? byInitial.keySet().iterator().next()
            : byInitial.entrySet().stream()
                .map(each -> each.getKey() + " (" + String.join(", ", each.getValue()) + ")")
                .collect(Collectors.joining("; "));
    String paths =
        byPath.size() == of
            ? "all"
            : byPath.keySet().stream().map(PathDescription::name).collect(Collectors.joining(", "));
    return Row.of(byPath.values().iterator().next(), initial, paths);
  }

  /** The reference page of all settings and paths, Markdown. */
  public static String page(List<DriverDescription> drivers) {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Settings

        Generated from the declarations in the source by `./pyrometer list --markdown`. `pyrometer list DRIVER settings` shows the same in a
        terminal; [experiments](experiments.md) says where settings stand in a file and how values are written.

        ## Of every driver
        """);
    for (Scope scope : Scope.values()) {
      String title = "Scope " + scope.name().toLowerCase(Locale.ROOT);
      section(page, title, ofCore().stream().filter(row -> row.scope() == scope).toList());
    }
    Map<PathDescription, List<String>> shared = shared(drivers);
    if (!shared.isEmpty()) {
      page.append("\n## Paths of several drivers\n\n");
      page.append("| path | job | drivers | what it does |\n|---|---|---|---|\n");
      shared.forEach(
          (path, names) -> {
            String own = String.join(", ", names);
            page.append(line(List.of(code(path.name()), path.job().id(), own, path.summary())));
          });
      section(page, "Their settings", ofPaths(List.copyOf(shared.keySet())));
    }
    for (DriverDescription driver : drivers) {
      List<PathDescription> own =
          driver.paths().stream().filter(path -> !shared.containsKey(path)).toList();
      page.append(
          "\n## Driver `%s`: %s\n\n%s\n"
              .formatted(driver.name(), driver.product(), driver.summary()));
      if (!own.isEmpty()) {
        page.append("\n### Paths\n\n| path | job | what it does |\n|---|---|---|\n");
        own.forEach(
            path -> page.append(line(List.of(code(path.name()), path.job().id(), path.summary()))));
      }
      section(page, "Settings of all paths", of(driver));
      tunable(page, driver);
      section(page, "Settings of some paths", ofPaths(own));
    }
    return page.toString();
  }

  /** Paths of kinds of trials that several drivers declare alike, with the drivers' names. */
  private static Map<PathDescription, List<String>> shared(List<DriverDescription> drivers) {
    Map<PathDescription, List<String>> owners = new LinkedHashMap<>();
    for (DriverDescription driver : drivers) {
      driver.paths().stream()
          .filter(path -> !path.job().isLoad())
          .forEach(path -> ListsByKey.add(owners, path, driver.name()));
    }
    owners.values().removeIf(names -> names.size() == 1);
    return owners;
  }

  private static void section(StringBuilder page, String title, List<Row> rows) {
    if (!rows.isEmpty()) {
      page.append("\n### ").append(title).append("\n\n").append(line(COLUMNS));
      page.append("|---".repeat(COLUMNS.size())).append("|\n");
      for (Row row : rows) {
        List<String> cells = new ArrayList<>(row.cells());
        cells.set(0, code(row.name()));
        page.append(line(cells));
      }
    }
  }

  /** The settings that {@code tune} varies where an experiment names none. */
  private static void tunable(StringBuilder page, DriverDescription driver) {
    if (driver.tunable().isEmpty()) {
      return;
    }
    page.append("\n### Settings that `tune` varies, the most important first\n\n");
    page.append(line(List.of("setting", "levels", "default")));
    page.append("|---|---|---|\n");
    for (DriverDescription.Tunable each : driver.tunable()) {
      page.append(
          line(
              List.of(
                  code(each.setting()),
                  String.join(", ", each.levels()),
                  each.productDefault().orElse(""))));
    }
  }

  private static String code(String name) {
    return "`" + name + "`";
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
