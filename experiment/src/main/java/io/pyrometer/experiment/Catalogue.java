package io.pyrometer.experiment;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.SettingDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What experiments can refer to.
 *
 * @param drivers by name
 * @param core the settings that mean the same with every driver
 * @param records that ship, by the name that files use
 * @param analyses names of the analyses that exist
 */
public record Catalogue(
    Map<String, DriverDescription> drivers,
    List<SettingDescription> core,
    Map<String, RecordShape> records,
    List<String> analyses) {

  public Catalogue {
    drivers = Collections.unmodifiableMap(new TreeMap<>(drivers));
    core = List.copyOf(core);
    records = Collections.unmodifiableMap(new TreeMap<>(records));
    analyses = List.copyOf(analyses);
  }

  /** The given drivers, and everything that ships. */
  public static Catalogue of(List<DriverDescription> drivers) {
    Map<String, DriverDescription> byName = new TreeMap<>();
    drivers.forEach(driver -> byName.put(driver.name(), driver));
    return new Catalogue(byName, CoreSettings.ALL, Shipped.records(), Analysis.words());
  }

  /**
   * The drivers that were built.
   *
   * @param folder holds a folder for each driver with its {@code driver.json}
   * @throws UncheckedIOException if the folder or a description cannot be read
   */
  public static Catalogue load(Path folder) {
    try (Stream<Path> found = Files.list(folder)) {
      return of(
          found
              .map(driver -> driver.resolve("driver.json"))
              .filter(Files::isRegularFile)
              .map(Catalogue::description)
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException("The drivers in " + folder + " cannot be listed.", e);
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
  Vocabulary vocabulary(Collection<String> names) {
    return new Vocabulary(names.stream().map(this::vocabulary).toList());
  }

  private DriverVocabulary vocabulary(String name) {
    DriverDescription description = drivers.get(name);
    if (description == null) {
      throw new IllegalArgumentException("There is no driver '" + name + "'.");
    }
    return new DriverVocabulary(core, description);
  }
}
