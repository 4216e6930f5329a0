package io.pyrometer.experiment;

import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the grid: its driver, where its configuration or its servers are, and its settings. */
final class GridReader {

  private static final List<String> KEYS = List.of("driver", "config", "attach");
  private static final Pattern ADDRESS = Pattern.compile("[^\\s:,]+:\\d{1,5}");

  private final Catalogue catalogue;
  private final Path folder;
  private final Problems problems;

  GridReader(Catalogue catalogue, Path folder, Problems problems) {
    this.catalogue = catalogue;
    this.folder = folder;
    this.problems = problems;
  }

  /** Empty if the driver is not to be guessed, so that nothing more can be judged. */
  Optional<GridPart> read(YamlNode node) {
    Keyed grid = Keyed.open(node, "'grid'", problems);
    if (!(node instanceof YamlNode.Keys)) {
      return Optional.empty();
    }
    Optional<DriverDescription> driver =
        grid.required("driver", "one such as ignite").flatMap(this::driver);
    if (driver.isEmpty()) {
      return Optional.empty();
    }
    Vocabulary vocabulary = catalogue.vocabulary(driver.get().name());
    Optional<Path> config = way(grid, "config", driver.get()).flatMap(this::config);
    Optional<String> attach = way(grid, "attach", driver.get()).map(this::attach);
    Given given = new GivenReader(vocabulary, problems).read(grid, "the grid", KEYS);
    return Optional.of(new GridPart(driver.get().name(), vocabulary, config, attach, given));
  }

  private Optional<YamlNode.Scalar> way(Keyed grid, String way, DriverDescription driver) {
    if (driver.capabilities().contains(way)) {
      return grid.scalar(way);
    }
    grid.position(way)
        .ifPresent(
            at ->
                problems.add(
                    at, "the driver '" + driver.name() + "' knows no '" + way + "'; remove it."));
    return Optional.empty();
  }

  private Optional<DriverDescription> driver(YamlNode.Scalar name) {
    DriverDescription driver = catalogue.drivers().get(name.text());
    if (driver != null) {
      return Optional.of(driver);
    }
    List<String> drivers = List.copyOf(catalogue.drivers().keySet());
    problems.add(
        name.at(), "unknown driver '" + name.text() + "'; " + Nearest.hint(name.text(), drivers));
    return Nearest.to(name.text(), drivers)
        .flatMap(near -> Optional.ofNullable(catalogue.drivers().get(near)));
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

  private String attach(YamlNode.Scalar scalar) {
    for (String address : scalar.text().split(",", -1)) {
      if (!ADDRESS.matcher(address.strip()).matches() || port(address.strip()) > 65_535) {
        problems.add(
            scalar.at(),
            "'" + address.strip() + "' is no address; write host:port, several with commas.");
      }
    }
    return scalar.text().replaceAll("\\s", "");
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
