package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the grid: its driver, where its configuration or its servers are, and its settings. */
final class GridReader {

  private static final String DRIVER = CoreSettings.DRIVER.name();
  private static final List<String> KEYS = List.of("config", "attach");
  private static final Pattern ADDRESS = Pattern.compile("[^\\s:,]+:\\d{1,5}");

  private final Catalogue catalogue;
  private final Path folder;
  private final Problems problems;

  GridReader(Catalogue catalogue, Path folder, Problems problems) {
    this.catalogue = catalogue;
    this.folder = folder;
    this.problems = problems;
  }

  /**
   * What a file says of the grid.
   *
   * @param vocabulary of all drivers of the experiment
   */
  record Grid(
      Vocabulary vocabulary, Optional<Path> config, Optional<String> attach, Placed settings) {

    /** Why Pyrometer starts no servers, and what to do; empty if it starts them. */
    Optional<String> noServers() {
      if (attach.isPresent()) {
        return Optional.of("this grid is attached to; remove it or 'attach'.");
      }
      return vocabulary.startsServers()
          ? Optional.empty()
          : Optional.of(
              "the driver '%s' has none; remove it."
                  .formatted(String.join("' or '", vocabulary.driverNames())));
    }
  }

  /**
   * Reads the grid of a file.
   *
   * @param file whose cases and factors may name drivers too
   * @return empty if the drivers are not known, so that nothing more can be judged
   */
  Optional<Grid> read(YamlNode node, YamlMap file) {
    YamlMap grid = YamlMap.open(node, "'grid'", problems);
    if (!(node instanceof YamlNode.Keys)) {
      return Optional.empty();
    }
    List<YamlNode.Scalar> names = drivers(grid, file);
    if (names.isEmpty()) {
      // Says that it is missing, or what stands there instead of a name.
      grid.required(DRIVER, "one of those that 'pyrometer list' shows");
      return Optional.empty();
    }
    Set<DriverDescription> drivers = new LinkedHashSet<>();
    for (YamlNode.Scalar name : names) {
      driver(name).ifPresent(drivers::add);
    }
    if (drivers.isEmpty()) {
      return Optional.empty();
    }
    Vocabulary vocabulary =
        catalogue.vocabulary(drivers.stream().map(DriverDescription::name).toList());
    Optional<Path> config = way(grid, "config", drivers).flatMap(this::config);
    Optional<String> attach =
        way(grid, "attach", drivers).map(address -> attach(address, config.isPresent()));
    Placed settings = new SettingsReader(vocabulary, problems).read(grid, "the grid", KEYS);
    return Optional.of(new Grid(vocabulary, config, attach, settings));
  }

  /** Every driver that the grid, a case or a level names. */
  private static List<YamlNode.Scalar> drivers(YamlMap grid, YamlMap file) {
    List<YamlNode.Scalar> names = new ArrayList<>();
    grid.node(DRIVER).ifPresent(node -> addName(node, names));
    file.node("cases").ifPresent(cases -> values(cases).forEach(each -> addDriverOf(each, names)));
    file.node("factors")
        .filter(YamlNode.Keys.class::isInstance)
        .map(YamlNode.Keys.class::cast)
        .ifPresent(factors -> factors.pairs().forEach(factor -> addLevels(factor, names)));
    return names;
  }

  private static void addLevels(YamlNode.Pair factor, List<YamlNode.Scalar> names) {
    if (factor.value() instanceof YamlNode.Items levels) {
      for (YamlNode level : levels.nodes()) {
        if (level instanceof YamlNode.Keys keys) {
          keys.value("set").ifPresent(set -> addDriverOf(set, names));
        } else if (factor.key().text().equals(DRIVER)) {
          addName(level, names);
        }
      }
    }
  }

  private static List<YamlNode> values(YamlNode node) {
    return node instanceof YamlNode.Keys keys
        ? keys.pairs().stream().map(YamlNode.Pair::value).toList()
        : List.of();
  }

  private static void addDriverOf(YamlNode settings, List<YamlNode.Scalar> names) {
    if (settings instanceof YamlNode.Keys keys) {
      keys.value(DRIVER).ifPresent(node -> addName(node, names));
    }
  }

  private static void addName(YamlNode node, List<YamlNode.Scalar> names) {
    if (node instanceof YamlNode.Scalar scalar && !scalar.empty()) {
      names.add(scalar);
    }
  }

  private Optional<DriverDescription> driver(YamlNode.Scalar name) {
    DriverDescription driver = catalogue.drivers().get(name.text());
    if (driver != null) {
      return Optional.of(driver);
    }
    List<String> drivers = List.copyOf(catalogue.drivers().keySet());
    problems.add(
        name.at(),
        "unknown driver '%s'; %s"
            .formatted(
                name.text(),
                SpellingSuggestion.to(name.text(), drivers)
                    .map("did you mean '%s'?"::formatted)
                    .orElse("choose from " + String.join(", ", drivers) + ".")));
    return SpellingSuggestion.to(name.text(), drivers)
        .flatMap(near -> Optional.ofNullable(catalogue.drivers().get(near)));
  }

  /** A key that one driver alone must understand. */
  private Optional<YamlNode.Scalar> way(YamlMap grid, String way, Set<DriverDescription> drivers) {
    List<String> able =
        drivers.stream()
            .filter(driver -> driver.capabilities().contains(way))
            .map(DriverDescription::name)
            .toList();
    boolean alone = able.size() == 1 && (way.equals("config") || drivers.size() == 1);
    if (alone) {
      return grid.scalar(way);
    }
    String sentence =
        able.isEmpty()
            ? "the driver '%s' does not support '%s'; remove it."
                .formatted(drivers.iterator().next().name(), way)
            : "'%s' is for an experiment with one driver; remove it or the other drivers."
                .formatted(way);
    grid.position(way).ifPresent(at -> problems.add(at, sentence));
    return Optional.empty();
  }

  private Optional<Path> config(YamlNode.Scalar scalar) {
    try {
      Path file = folder.resolve(scalar.text()).toAbsolutePath().normalize();
      if (Files.isRegularFile(file)) {
        return Optional.of(file);
      }
    } catch (InvalidPathException e) {
      // reported below: such a file cannot exist
    }
    problems.add(
        scalar.at(),
        "there is no file '" + scalar.text() + "'; give a path relative to this file.");
    return Optional.empty();
  }

  private String attach(YamlNode.Scalar scalar, boolean hasConfig) {
    if (scalar.text().strip().equals(Experiment.Testbed.BY_CONFIG)) {
      if (!hasConfig) {
        problems.add(
            scalar.at(),
            "'attach: config' needs the file that says where the grid is, as 'config'.");
      }
      return Experiment.Testbed.BY_CONFIG;
    }
    for (String address : scalar.text().split(",", -1)) {
      if (!ADDRESS.matcher(address.strip()).matches() || port(address.strip()) > 65_535) {
        problems.add(
            scalar.at(),
            "'" + address.strip() + "' is not an address; write host:port, several with commas.");
      }
    }
    return scalar.text().replaceAll("\\s", "");
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
