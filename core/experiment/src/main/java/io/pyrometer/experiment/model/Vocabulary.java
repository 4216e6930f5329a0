package io.pyrometer.experiment.model;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings and paths that an experiment over some drivers may name. */
public final class Vocabulary {

  private final Map<String, DriverVocabulary> drivers = new LinkedHashMap<>();

  public Vocabulary(List<DriverVocabulary> drivers) {
    drivers.forEach(driver -> this.drivers.put(driver.description().name(), driver));
  }

  /** The vocabulary of the driver of a treatment, which is among them. */
  public DriverVocabulary of(Settings treatment) {
    return Objects.requireNonNull(drivers.get(treatment.get(CoreSettings.DRIVER)));
  }

  /** The path of a treatment, which its driver has. */
  public PathDescription path(Settings treatment) {
    return of(treatment).path(treatment.get(CoreSettings.PATH)).orElseThrow();
  }

  public Collection<String> driverNames() {
    return drivers.keySet();
  }

  /** Checks whether Pyrometer starts servers of any of the drivers. */
  public boolean startsServers() {
    return drivers.values().stream().anyMatch(driver -> driver.description().startsServers());
  }

  public Set<String> pathNames() {
    return union(driver -> driver.pathNames().stream());
  }

  public Set<String> pathNames(Job job) {
    return union(
        driver ->
            driver.description().paths().stream()
                .filter(path -> path.job() == job)
                .map(PathDescription::name));
  }

  /** The declarations of all drivers under the name; settings of the core once. */
  public List<SettingDescription> settings(String name) {
    return drivers.values().stream()
        .flatMap(driver -> driver.setting(name).stream())
        .distinct()
        .toList();
  }

  /** The declaration of the first driver that knows the setting. */
  public Optional<SettingDescription> setting(String name) {
    return settings(name).stream().findFirst();
  }

  /** The settings that any of the drivers lists for {@code tune}. */
  public Set<String> tunable() {
    return union(
        driver -> driver.description().tunable().stream().map(DriverDescription.Tunable::setting));
  }

  public Set<String> settingNames() {
    return union(driver -> driver.settingNames().stream());
  }

  private Set<String> union(Function<DriverVocabulary, Stream<String>> names) {
    return drivers.values().stream()
        .flatMap(names)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The paths that use a setting; with several drivers also whose they are. */
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
