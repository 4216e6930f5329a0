package io.pyrometer.experiment.model;

import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The terms that an experiment holds equal between products, as settings of each driver. */
public final class EqualSettings {

  private EqualSettings() {}

  /** The settings of the driver that make a treatment's terms true. */
  public static Settings of(DriverVocabulary driver, Settings treatment) {
    Map<String, Object> settings = new HashMap<>();
    EqualTerm.of(treatment)
        .forEach(
            (term, value) ->
                driver
                    .description()
                    .equalTerm(term, value)
                    .ifPresent(mapping -> settings.putAll(settings(driver, mapping, value))));
    return new Settings(settings);
  }

  private static Map<String, Object> settings(
      DriverVocabulary driver, EqualTerm mapping, Object value) {
    Map<String, Object> settings = new HashMap<>();
    mapping
        .settings()
        .forEach(
            (name, text) ->
                driver
                    .setting(name)
                    .flatMap(
                        setting ->
                            text.equals(EqualTerm.GIVEN)
                                ? Optional.of(value)
                                : SettingText.parse(setting, text))
                    .ifPresent(parsed -> settings.put(name, parsed)));
    return settings;
  }

  /** What of a treatment's terms cannot be made true, a sentence by the term's setting. */
  public static Map<String, String> problems(DriverVocabulary driver, Settings treatment) {
    Map<String, String> problems = new LinkedHashMap<>();
    EqualTerm.of(treatment)
        .forEach(
            (term, value) -> {
              Optional<EqualTerm> mapping = driver.description().equalTerm(term, value);
              if (mapping.isEmpty()) {
                problems.put(
                    EqualTerm.PREFIX + term,
                    "the driver '%s' cannot make '%s: %s' true; leave the term or the driver out."
                        .formatted(driver.description().name(), term, value));
              } else {
                settings(driver, mapping.get(), value)
                    .forEach(
                        (name, parsed) ->
                            problem(driver, treatment, name, parsed)
                                .ifPresent(
                                    sentence -> problems.put(EqualTerm.PREFIX + term, sentence)));
              }
            });
    return problems;
  }

  private static Optional<String> problem(
      DriverVocabulary driver, Settings treatment, String name, Object value) {
    SettingDescription setting = driver.setting(name).orElseThrow();
    String owner = driver.description().name();
    if (!SettingText.takes(setting, value)) {
      return Optional.of(
          "with the driver '%s', %s"
              .formatted(owner, SettingText.sentence(setting, String.valueOf(value))));
    }
    boolean otherwise =
        treatment.has(name)
            && !SettingText.canonical(setting, treatment.values().getOrDefault(name, value))
                .equals(SettingText.canonical(setting, value));
    return otherwise
        ? Optional.of(
            "'equal' sets '%s' of the driver '%s' to %s, and it is set to %s elsewhere; remove one of them."
                .formatted(name, owner, value, treatment.text(name)))
        : Optional.empty();
  }
}
