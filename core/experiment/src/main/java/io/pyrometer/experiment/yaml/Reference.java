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
import java.util.stream.Stream;

/**
 * Settings and paths as tables for people, from their declarations: the reference page and {@code
 * pyrometer list} show the same rows.
 */
public final class Reference {

  public static final List<String> COLUMNS =
      List.of("setting", "values", "default", "scope", "for", "meaning");

  private Reference() {}

  /** The settings of every driver, a row for each. */
  public static List<List<String>> ofCore() {
    return rows(CoreSettings.ALL);
  }

  /** The settings that hold for every path of a driver. */
  public static List<List<String>> of(DriverDescription driver) {
    return rows(driver.settings());
  }

  private static List<List<String>> rows(List<SettingDescription> settings) {
    return settings.stream()
        .map(each -> row(each, SettingText.initial(each), appliesTo(each)))
        .toList();
  }

  private static String appliesTo(SettingDescription setting) {
    List<String> jobs = setting.traits().jobs().stream().map(Job::id).toList();
    return setting.traits().ofServers()
        ? "started nodes"
        : setting.traits().ofAttached()
            ? "attached grids"
            : jobs.isEmpty() ? "all" : String.join(", ", jobs) + " paths";
  }

  private static List<String> row(SettingDescription setting, String initial, String appliesTo) {
    String below = setting.traits().below().map(other -> ", below '" + other + "'").orElse("");
    String needs = setting.traits().needs().map(need -> "; needs " + need.words()).orElse("");
    return List.of(
        setting.name(),
        SettingText.values(setting) + below + needs,
        initial,
        setting.scope().name().toLowerCase(Locale.ROOT),
        appliesTo,
        setting.summary());
  }

  /** The settings that only some of these paths have; defaults by path where paths differ. */
  public static List<List<String>> ofPaths(List<PathDescription> paths) {
    Map<String, Map<PathDescription, SettingDescription>> byName = new LinkedHashMap<>();
    for (PathDescription path : paths) {
      for (SettingDescription setting : path.settings()) {
        byName.computeIfAbsent(setting.name(), name -> new LinkedHashMap<>()).put(path, setting);
      }
    }
    return byName.values().stream().map(byPath -> row(byPath, paths.size())).toList();
  }

  private static List<String> row(Map<PathDescription, SettingDescription> byPath, int of) {
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
    return row(byPath.values().iterator().next(), initial, paths);
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
      Stream<SettingDescription> own = CoreSettings.ALL.stream().filter(s -> s.scope() == scope);
      section(page, title, rows(own.toList()));
    }
    Map<PathDescription, List<String>> shared = shared(drivers);
    table(
        page,
        "## Paths of several drivers",
        List.of("path", "job", "drivers", "what it does"),
        shared.entrySet().stream()
            .map(
                each -> {
                  PathDescription path = each.getKey();
                  String owners = String.join(", ", each.getValue());
                  return List.of(path.name(), path.job().id(), owners, path.summary());
                })
            .toList());
    section(page, "Their settings", ofPaths(List.copyOf(shared.keySet())));
    for (DriverDescription driver : drivers) {
      List<PathDescription> own =
          driver.paths().stream().filter(path -> !shared.containsKey(path)).toList();
      page.append(
          "\n## Driver `%s`: %s\n\n%s\n"
              .formatted(driver.name(), driver.product(), driver.summary()));
      table(
          page,
          "### Paths",
          List.of("path", "job", "what it does"),
          own.stream().map(path -> List.of(path.name(), path.job().id(), path.summary())).toList());
      section(page, "Settings of all paths", of(driver));
      table(
          page,
          "### Settings that `tune` varies, the most important first",
          List.of("setting", "levels", "default"),
          driver.tunable().stream()
              .map(
                  each ->
                      List.of(
                          each.setting(),
                          String.join(", ", each.levels()),
                          each.productDefault().orElse("")))
              .toList());
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

  private static void section(StringBuilder page, String title, List<List<String>> rows) {
    table(page, "### " + title, COLUMNS, rows);
  }

  /** A table whose first column holds names of code; nothing without rows. */
  private static void table(
      StringBuilder page, String title, List<String> columns, List<List<String>> rows) {
    if (!rows.isEmpty()) {
      page.append("\n").append(title).append("\n\n").append(line(columns));
      page.append("|---".repeat(columns.size())).append("|\n");
      for (List<String> row : rows) {
        List<String> cells = new ArrayList<>(row);
        cells.set(0, "`" + row.get(0) + "`");
        page.append(line(cells));
      }
    }
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
