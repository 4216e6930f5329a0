package io.pyrometer.experiment.model;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The settings and paths that an experiment over some drivers may name. */
public final class Vocabulary {

  private final Map<String, DriverVocabulary> drivers = new LinkedHashMap<>();

  public Vocabulary(List<DriverVocabulary> drivers) {
    drivers.forEach(driver -> this.drivers.put(driver.description().name(), driver));
  }

  /** The vocabulary of one of the drivers; empty if it is not among them. */
  public Optional<DriverVocabulary> of(String driver) {
    return Optional.ofNullable(drivers.get(driver));
  }

  /** The vocabulary of the driver of a treatment. */
  public Optional<DriverVocabulary> of(Settings treatment) {
    return treatment.find(CoreSettings.DRIVER).flatMap(this::of);
  }

  public Collection<String> driverNames() {
    return drivers.keySet();
  }

  /** Whether Pyrometer starts servers of any of the drivers. */
  public boolean startsServers() {
    return drivers.values().stream().anyMatch(driver -> driver.description().startsServers());
  }

  public boolean knowsPath(String name) {
    return drivers.values().stream().anyMatch(driver -> driver.path(name).isPresent());
  }

  public Set<String> pathNames() {
    Set<String> names = new LinkedHashSet<>();
    drivers.values().forEach(driver -> names.addAll(driver.pathNames()));
    return names;
  }

  /** The paths of one job. */
  public Set<String> pathNames(Job job) {
    Set<String> names = new LinkedHashSet<>();
    drivers
        .values()
        .forEach(
            driver ->
                driver.description().paths().stream()
                    .filter(path -> path.job() == job)
                    .forEach(path -> names.add(path.name())));
    return names;
  }

  /** What each driver declares under the name; settings of the core once. */
  public List<SettingDescription> settings(String name) {
    return drivers.values().stream()
        .flatMap(driver -> driver.setting(name).stream())
        .distinct()
        .toList();
  }

  /** What the first driver that knows the setting declares. */
  public Optional<SettingDescription> setting(String name) {
    return settings(name).stream().findFirst();
  }

  public Set<String> settingNames() {
    Set<String> names = new LinkedHashSet<>();
    drivers.values().forEach(driver -> names.addAll(driver.settingNames()));
    return names;
  }

  /** The paths that heed a setting; with several drivers also whose they are. */
  public List<String> heeding(String setting) {
    return drivers.values().stream().flatMap(driver -> heeding(driver, setting)).toList();
  }

  private Stream<String> heeding(DriverVocabulary driver, String setting) {
    List<String> heeding = driver.heeding(setting);
    if (drivers.size() == 1) {
      return heeding.stream();
    }
    String of = " of " + driver.description().name();
    return heeding.size() == driver.pathNames().size()
        ? Stream.of("all paths" + of)
        : heeding.stream().map(path -> path + of);
  }
}
