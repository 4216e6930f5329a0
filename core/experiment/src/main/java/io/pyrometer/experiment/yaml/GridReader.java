package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the grid: its driver, where its configuration or its servers are, and its settings. */
record GridReader(Catalogue catalogue, Path folder) {

  private static final String DRIVER = CoreSettings.DRIVER.name();
  private static final List<String> KEYS = List.of("config", "attach");

  /**
   * @param vocabulary of all drivers of the experiment
   */
  record Grid(
      Vocabulary vocabulary, Optional<Path> config, Optional<String> attach, Placed settings) {

    /** The reason why Pyrometer starts no servers, and what to do; empty if it starts them. */
    Optional<String> noServers() {
      if (attach.isPresent()) {
        return Optional.of(ExperimentException.words("grid.attached"));
      }
      return vocabulary.startsServers()
          ? Optional.empty()
          : Optional.of(
              ExperimentException.words(
                  "grid.no-servers", String.join("' or '", vocabulary.driverNames())));
    }
  }

  /** Reads the grid of a file, whose cases and factors may name drivers too. */
  Grid read(YamlNode grid, YamlNode file) {
    Set<String> names = new LinkedHashSet<>();
    for (Scalar name : drivers(grid, file).toList()) {
      names.add(name.oneOf(catalogue.drivers().keySet(), "driver", ""));
    }
    grid.refuseIf(names.isEmpty(), "grid.no-driver");
    Vocabulary vocabulary = catalogue.vocabulary(names);
    Optional<Path> config = source(grid, "config", names).map(this::config);
    Optional<Scalar> attach = source(grid, "attach", names);
    if (config.isEmpty() && attach.filter(a -> a.text().equals("config")).isPresent()) {
      throw attach.get().problem("grid.attach-needs-config");
    }
    return new Grid(
        vocabulary,
        config,
        attach.map(address -> address.text().replaceAll("\\s", "")),
        new SettingsReader(vocabulary).read(grid, "the grid", KEYS));
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

  /** A key that one driver alone must understand. */
  private Optional<Scalar> source(YamlNode grid, String key, Set<String> drivers) {
    List<String> able =
        drivers.stream()
            .filter(name -> catalogue.driver(name).capabilities().contains(key))
            .toList();
    if (able.isEmpty()) {
      grid.refuse(key, "grid.not-supported", drivers.iterator().next(), key);
    } else if (able.size() > 1 || (key.equals("attach") && drivers.size() > 1)) {
      grid.refuse(key, "grid.one-driver", key);
    }
    return grid.scalar(key);
  }

  private Path config(Scalar scalar) {
    try {
      Path file = folder.resolve(scalar.text()).toAbsolutePath().normalize();
      if (Files.isRegularFile(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // reported below: such a file cannot exist
    }
    throw scalar.problem("grid.no-such-file", scalar.text());
  }
}
