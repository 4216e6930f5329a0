package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.RecordShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The drivers, records and bundled experiments that experiments can refer to.
 *
 * @param drivers by name
 * @param records that ship, by the name that files use
 * @param experiments that are bundled: the text of each by its name
 */
public record Catalogue(
    Map<String, DriverDescription> drivers,
    Map<String, RecordShape> records,
    Map<String, String> experiments) {

  private static final String YAML = ".yaml";
  private static final List<String> RECORDS = List.of("sample-record", "stock-order");

  public Catalogue {
    drivers = Collections.unmodifiableMap(new TreeMap<>(drivers));
    records = Collections.unmodifiableMap(new TreeMap<>(records));
    experiments = Collections.unmodifiableMap(new TreeMap<>(experiments));
  }

  /** The given drivers without bundled experiments, and everything else that ships. */
  public static Catalogue of(List<DriverDescription> drivers) {
    return of(drivers, Map.of());
  }

  /** The given drivers and experiments, and everything else that ships. */
  static Catalogue of(List<DriverDescription> drivers, Map<String, String> experiments) {
    Map<String, DriverDescription> byName = new TreeMap<>();
    drivers.forEach(driver -> byName.put(driver.name(), driver));
    Map<String, RecordShape> records = new TreeMap<>();
    for (String name : RECORDS) {
      String record = text("/records/" + name + ".yaml");
      records.put(name, RecordReader.read(YamlNode.Parser.parse(record, name)));
    }
    return new Catalogue(byName, records, experiments);
  }

  /**
   * The drivers that were built, and the bundled experiments.
   *
   * @param distribution holds {@code drivers/NAME/driver.json} and {@code
   *     experiments/TOPIC/NAME.yaml}; either folder may be missing
   * @throws UncheckedIOException if a folder or a file in it cannot be read
   */
  public static Catalogue load(Path distribution) {
    return of(drivers(distribution), experiments(distribution.resolve("experiments")));
  }

  /**
   * The drivers that were built, by name.
   *
   * @param distribution as for {@link #load}
   */
  public static List<DriverDescription> drivers(Path distribution) {
    return within(distribution.resolve("drivers")).stream()
        .map(driver -> driver.resolve("driver.json"))
        .filter(Files::isRegularFile)
        .map(Catalogue::description)
        .sorted(Comparator.comparing(DriverDescription::name))
        .toList();
  }

  private static List<Path> within(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("The folder " + folder + " cannot be read.", e);
    }
  }

  /** The texts of the experiments in a folder of topics by their names. */
  static Map<String, String> experiments(Path folder) {
    Map<String, String> experiments = new TreeMap<>();
    for (Path topic : within(folder)) {
      for (Path file : within(topic)) {
        String name = file.getFileName().toString();
        if (name.endsWith(YAML)) {
          experiments.put(name.substring(0, name.length() - YAML.length()), text(file));
        }
      }
    }
    return experiments;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("The experiment " + file + " cannot be read.", e);
    }
  }

  private static DriverDescription description(Path file) {
    try {
      return Json.LINES.readValue(file.toFile(), DriverDescription.class);
    } catch (IOException e) {
      throw new UncheckedIOException("The description " + file + " cannot be read.", e);
    }
  }

  /** The vocabulary of an experiment over these drivers, which exist. */
  public Vocabulary vocabulary(Collection<String> names) {
    return new Vocabulary(names.stream().map(this::driver).map(DriverVocabulary::new).toList());
  }

  DriverDescription driver(String name) {
    return Optional.ofNullable(drivers.get(name))
        .orElseThrow(() -> new IllegalArgumentException("There is no driver '" + name + "'."));
  }

  static String text(String resource) {
    try (InputStream stream = Catalogue.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("The resource " + resource + " is missing.");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
