package io.pyrometer.experiment.model;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.Settings;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings and paths that a treatment of one driver may name: the core's and the driver's. */
public final class DriverVocabulary {

  private final DriverDescription driver;
  private final Map<String, SettingDescription> everywhere = new LinkedHashMap<>();
  private final Map<String, SettingDescription> anywhere = new LinkedHashMap<>();
  private final Map<String, PathDescription> paths = new LinkedHashMap<>();

  public DriverVocabulary(DriverDescription driver) {
    this.driver = driver;
    CoreSettings.ALL.forEach(setting -> everywhere.put(setting.name(), setting));
    driver.settings().forEach(setting -> everywhere.put(setting.name(), setting));
    anywhere.putAll(everywhere);
    for (PathDescription path : driver.paths()) {
      paths.put(path.name(), path);
      path.settings().forEach(setting -> anywhere.putIfAbsent(setting.name(), setting));
    }
  }

  public DriverDescription description() {
    return driver;
  }

  public Optional<PathDescription> path(String name) {
    return Optional.ofNullable(paths.get(name));
  }

  public Collection<String> pathNames() {
    return paths.keySet();
  }

  /** The names of the paths that heed a setting. */
  public List<String> heeding(String setting) {
    return paths.values().stream()
        .filter(path -> heeded(path, setting).isPresent())
        .map(PathDescription::name)
        .toList();
  }

  /** A setting of the core, of the driver, or of any of its paths, or an option of the product. */
  public Optional<SettingDescription> setting(String name) {
    return Optional.ofNullable(anywhere.get(name)).or(() -> driver.property(name));
  }

  /** Those of some settings that a change of requires fresh processes. */
  public Settings ofProcesses(Settings settings) {
    Map<String, Object> process = new HashMap<>(settings.values());
    process
        .keySet()
        .removeIf(name -> setting(name).filter(of -> of.scope() == Scope.PROCESS).isEmpty());
    return new Settings(process);
  }

  public Collection<String> settingNames() {
    return anywhere.keySet();
  }

  /** The setting of this name where a path heeds it. */
  public Optional<SettingDescription> heeded(PathDescription path, String name) {
    return Optional.ofNullable(heededBy(path).get(name)).or(() -> driver.property(name));
  }

  /** The settings that a path heeds, beside the options of the product. */
  public Map<String, SettingDescription> heededBy(PathDescription path) {
    Map<String, SettingDescription> heeded = declaredFor(path);
    heeded.values().removeIf(setting -> !setting.heededBy(path.job()));
    List<String> own = path.settings().stream().map(SettingDescription::name).toList();
    TrialKinds.of(path.job())
        .ifPresent(
            kind ->
                CoreSettings.ALL.stream()
                    .map(SettingDescription::name)
                    .filter(name -> !own.contains(name) && !kind.uses(name))
                    .forEach(heeded::remove));
    return heeded;
  }

  private Map<String, SettingDescription> declaredFor(PathDescription path) {
    Map<String, SettingDescription> declared = new LinkedHashMap<>(everywhere);
    path.settings().forEach(setting -> declared.put(setting.name(), setting));
    return declared;
  }

  /**
   * Every setting of the core, the driver and the path: as given, else as terms held equal ask for,
   * else its default, else absent.
   */
  public Settings complete(PathDescription path, Settings given) {
    Settings equal = equal(given).with(given);
    Map<String, Object> complete = new HashMap<>();
    for (SettingDescription setting : declaredFor(path).values()) {
      Optional<Object> value =
          Optional.ofNullable(equal.values().get(setting.name())).or(setting::initial);
      if (value.isPresent()) {
        complete.put(setting.name(), SettingText.canonical(setting, value.get()));
      }
    }
    given
        .values()
        .forEach((name, value) -> driver.property(name).ifPresent(of -> complete.put(name, value)));
    return new Settings(complete);
  }

  /**
   * The settings of a trial with the limits of the common warm-up of fresh processes, as declared
   * by {@link SettingDescription#warmUpAtMost}.
   *
   * @param complete with a path of the driver
   */
  public Settings inWarmUp(Settings complete) {
    Map<String, SettingDescription> declared =
        path(complete.get(CoreSettings.PATH)).map(this::declaredFor).orElse(everywhere);
    Map<String, Object> limited = new HashMap<>(complete.values());
    limited.replaceAll(
        (name, value) ->
            Optional.ofNullable(declared.get(name))
                .map(setting -> setting.inWarmUp(value))
                .orElse(value));
    return new Settings(limited);
  }

  /** The settings of the driver that make the terms true which a treatment holds equal. */
  private Settings equal(Settings treatment) {
    Map<String, Object> all = new HashMap<>();
    EqualTerm.of(treatment)
        .forEach(
            (term, value) ->
                driver.equalTerm(term, value).ifPresent(by -> all.putAll(settings(by, value))));
    return new Settings(all);
  }

  private Map<String, Object> settings(EqualTerm mapping, Object value) {
    Map<String, Object> settings = new HashMap<>();
    mapping
        .settings()
        .forEach(
            (name, text) ->
                setting(name)
                    .flatMap(
                        setting ->
                            text.equals(EqualTerm.GIVEN)
                                ? Optional.of(value)
                                : SettingText.parse(setting, text))
                    .ifPresent(parsed -> settings.put(name, parsed)));
    return settings;
  }

  /**
   * The reason why an equal term of a treatment cannot be made true, a sentence; empty if it can.
   *
   * @param value of the term in the treatment
   */
  public Optional<String> unequal(Settings treatment, String term, Object value) {
    String owner = driver.name();
    Optional<EqualTerm> mapping = driver.equalTerm(term, value);
    if (mapping.isEmpty()) {
      return Optional.of(ExperimentException.words("equal.cannot", owner, term, value));
    }
    for (Map.Entry<String, Object> each : settings(mapping.get(), value).entrySet()) {
      String name = each.getKey();
      SettingDescription setting = setting(name).orElseThrow();
      if (!SettingText.takes(setting, each.getValue())) {
        String sentence = SettingText.sentence(setting, String.valueOf(each.getValue()));
        return Optional.of("with the driver '%s', %s".formatted(owner, sentence));
      }
      Object wanted = SettingText.canonical(setting, each.getValue());
      Object given = treatment.values().getOrDefault(name, wanted);
      if (!SettingText.canonical(setting, given).equals(wanted)) {
        return Optional.of(
            ExperimentException.words(
                "equal.set-elsewhere", name, owner, each.getValue(), treatment.text(name)));
      }
    }
    return Optional.empty();
  }
}
