package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the grid: its driver, where its configuration or its servers are, and its settings. */
final class GridReader {

  private static final String DRIVER = CoreSettings.DRIVER.name();
  private static final List<String> KEYS = List.of("config", "attach");

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
   * Reads the grid of a file, whose cases and factors may name drivers too.
   *
   * @return empty if the drivers are not known, so that nothing more can be judged
   */
  Optional<Grid> read(YamlNode grid, YamlNode file) {
    List<Scalar> names = drivers(grid, file).toList();
    if (names.isEmpty() && grid instanceof YamlNode.Keys) {
      String sentence =
          "'driver' is missing in 'grid'; give one of those that 'pyrometer list' shows.";
      problems.add(grid.at(), sentence);
    }
    Set<DriverDescription> drivers = new LinkedHashSet<>();
    names.forEach(name -> driver(name).ifPresent(drivers::add));
    if (drivers.isEmpty()) {
      return Optional.empty();
    }
    Vocabulary vocabulary =
        catalogue.vocabulary(drivers.stream().map(DriverDescription::name).toList());
    Optional<Path> config = source(grid, "config", drivers).flatMap(this::config);
    Optional<Scalar> attach = source(grid, "attach", drivers);
    attach
        .filter(address -> address.text().equals("config") && config.isEmpty())
        .ifPresent(
            address ->
                problems.add(
                    address.at(),
                    "'attach: config' needs the file that says where the grid is, as 'config'."));
    Placed settings = new SettingsReader(vocabulary, problems).read(grid, "the grid", KEYS);
    return Optional.of(
        new Grid(
            vocabulary,
            config,
            attach.map(address -> address.text().replaceAll("\\s", "")),
            settings));
  }

  /** Every driver that the grid, a case or a level names. */
  private static Stream<Scalar> drivers(YamlNode grid, YamlNode file) {
    Stream<YamlNode> cases = file.pairs("cases").stream().map(Pair::value);
    Stream<Scalar> levels =
        file.pairs("factors").stream()
            .flatMap(
                factor -> DesignReader.levels(factor).stream().flatMap(l -> driver(factor, l)));
    return Stream.concat(
        Stream.concat(Stream.of(grid), cases).flatMap(each -> each.scalar(DRIVER).stream()),
        levels);
  }

  private static Stream<Scalar> driver(Pair factor, YamlNode level) {
    return factor.key().text().equals(DRIVER) && level instanceof Scalar
        ? level.scalar().stream()
        : level.value("set").flatMap(set -> set.scalar(DRIVER)).stream();
  }

  private Optional<DriverDescription> driver(Scalar name) {
    Optional<DriverDescription> driver = Optional.ofNullable(catalogue.drivers().get(name.text()));
    if (driver.isPresent()) {
      return driver;
    }
    Set<String> drivers = catalogue.drivers().keySet();
    problems.addUnknown("driver", name, drivers);
    return SpellingSuggestion.to(name.text(), drivers)
        .flatMap(near -> Optional.ofNullable(catalogue.drivers().get(near)));
  }

  /** A key that one driver alone must understand. */
  private Optional<Scalar> source(YamlNode grid, String key, Set<DriverDescription> drivers) {
    List<DriverDescription> able =
        drivers.stream().filter(driver -> driver.capabilities().contains(key)).toList();
    if (able.size() == 1 && (key.equals("config") || drivers.size() == 1)) {
      return grid.scalar(key);
    }
    String sentence =
        able.isEmpty()
            ? "the driver '%s' does not support '%s'; remove it."
                .formatted(drivers.iterator().next().name(), key)
            : "'%s' is for an experiment with one driver; remove it or the other drivers."
                .formatted(key);
    grid.position(key).ifPresent(at -> problems.add(at, sentence));
    return Optional.empty();
  }

  private Optional<Path> config(Scalar scalar) {
    try {
      Path file = folder.resolve(scalar.text()).toAbsolutePath().normalize();
      if (Files.isRegularFile(file)) {
        return Optional.of(file);
      }
    } catch (InvalidPathException e) {
      // reported below: such a file cannot exist
    }
    String sentence = "there is no file '%s'; give a path relative to this file.";
    problems.add(scalar.at(), sentence, scalar.text());
    return Optional.empty();
  }
}
