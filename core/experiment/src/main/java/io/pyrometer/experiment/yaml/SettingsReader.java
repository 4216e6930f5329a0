package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads settings: each name is known, and each value is one that the setting takes. */
record SettingsReader(Vocabulary vocabulary) {

  static final List<String> OF_STAGES =
      List.of(CoreSettings.RATE.name(), CoreSettings.MEASURE.name());

  private static final String PROPERTIES =
      SettingDescription.PROPERTY.substring(0, SettingDescription.PROPERTY.length() - 1);

  /**
   * Settings with their places in a file.
   *
   * @param factor and its level, or the case, with which they hold; empty where no level says
   *     otherwise
   * @param at the place of each value
   */
  record Given(String factor, String label, Settings settings, Map<String, Position> at) {

    static final Given NOTHING = new Given("", "", Settings.NONE, Map.of());

    Given {
      at = Collections.unmodifiableMap(new LinkedHashMap<>(at));
    }

    /** Settings that all stand in one place. */
    static Given of(Settings settings, Position position) {
      Map<String, Position> at = new HashMap<>();
      settings.values().keySet().forEach(name -> at.put(name, position));
      return new Given("", "", settings, at);
    }

    Given with(Given over) {
      Map<String, Position> merged = new LinkedHashMap<>(at);
      merged.putAll(over.at);
      return new Given(factor, label, settings.with(over.settings), merged);
    }

    Given ofLevel(String itsFactor, String itsLabel) {
      return new Given(itsFactor, itsLabel, settings, at);
    }

    Level level() {
      return new Level(label, settings);
    }
  }

  /**
   * The pairs of a map as settings.
   *
   * @param keys those that stand beside the settings and are read elsewhere
   */
  Given read(YamlNode map, String what, List<String> keys) {
    Given placed = Given.NOTHING;
    boolean staged = map.hasKey(CoreSettings.STAGES.name());
    for (Pair pair : map.pairs()) {
      String name = pair.key().text();
      pair.key().refuseIf(staged && OF_STAGES.contains(name), "stages.and-setting", name);
      if (name.equals(PROPERTIES)) {
        placed = placed.with(properties(pair));
      } else if (!keys.contains(name)) {
        placed = placed.with(setting(pair, what, keys));
      }
    }
    return placed;
  }

  /** Options of the product: a map by the product's own names. */
  private Given properties(Pair properties) {
    properties
        .key()
        .refuseIf(!(properties.value() instanceof YamlNode.Keys), "properties.not-a-map");
    Given placed = Given.NOTHING;
    for (Pair pair : properties.value().pairs()) {
      Scalar key = pair.key();
      String name = SettingDescription.PROPERTY + key.text();
      if (vocabulary.setting(name).isEmpty()) {
        String drivers = String.join("' or '", vocabulary.driverNames());
        throw key.problem("properties.not-passed", drivers);
      }
      String value = Form.scalar(pair.value(), "'" + key.text() + "'").text();
      placed = placed.with(Given.of(Settings.NONE.with(name, value), key.at()));
    }
    return placed;
  }

  /** The setting of one key of a map; nothing where it is absent. */
  Given one(YamlNode map, String key) {
    return map.pair(key).map(pair -> setting(pair, "the file", List.of())).orElse(Given.NOTHING);
  }

  private Given setting(Pair pair, String what, List<String> keys) {
    String name = pair.key().text();
    String quoted = "'" + name + "'";
    Optional<TrialKind> kind = TrialKinds.ofKey(name);
    Optional<SettingDescription> setting = vocabulary.setting(name);
    if (setting.isPresent()) {
      Scalar scalar = scalar(setting.get(), pair.value(), quoted);
      return kind.map(of -> path(of, scalar)).orElseGet(() -> value(name, scalar));
    }
    if (kind.isPresent()) {
      return path(kind.get(), Form.scalar(pair.value(), quoted));
    }
    List<String> names = new ArrayList<>(vocabulary.settingNames());
    names.addAll(keys);
    throw pair.key().unknown("setting", names, " in " + what);
  }

  /** The text of a value: may be a list of several names, and a map of shares. */
  static Scalar scalar(SettingDescription setting, YamlNode node, String what) {
    boolean list = node instanceof YamlNode.Items;
    return switch (setting.type()) {
      case SHARES -> node instanceof YamlNode.Keys ? shares(node, what) : Form.scalar(node, what);
      case STAGES -> list ? joined(node, ", ", SettingsReader::stage) : Form.scalar(node, what);
      case NAMES, STEPS ->
          list
              ? joined(node, ",", item -> Form.scalar(item, "a name of " + what).text())
              : Form.scalar(node, what);
      default -> Form.scalar(node, what);
    };
  }

  private static Scalar joined(YamlNode list, String separator, Function<YamlNode, String> part) {
    return new Scalar(
        list.at(), list.items().stream().map(part).collect(Collectors.joining(separator)), true);
  }

  /** A map of shares as text. */
  static Scalar shares(YamlNode map, String what) {
    String text =
        map.pairs().stream()
            .map(p -> p.key().text() + " " + Form.scalar(p.value(), "a share of " + what).text())
            .collect(Collectors.joining(", "));
    return new Scalar(map.at(), text, true);
  }

  private static String stage(YamlNode node) {
    return (node.hasKey("ramp-to") ? "to " : "")
        + node.textOf("rate").or(() -> node.textOf("ramp-to")).orElse("?")
        + " for "
        + node.textOf("for").orElse("?");
  }

  /** The path that a key of a kind of trial names. */
  private Given path(TrialKind kind, Scalar scalar) {
    Set<String> paths = vocabulary.pathNames(kind.job());
    for (String path : paths) {
      if (kind.name(path).equals(scalar.text())) {
        return Given.of(Settings.NONE.with(CoreSettings.PATH, path), scalar.at());
      }
    }
    return kind.settings(scalar.text(), paths)
        .map(settings -> Given.of(settings, scalar.at()))
        .orElseThrow(() -> scalar.unknown(kind.key(), paths.stream().map(kind::name).toList(), ""));
  }

  /**
   * One value of one known setting.
   *
   * @throws ExperimentException if it is not one of the setting's values
   */
  Given value(String name, Scalar scalar) {
    boolean driver = name.equals(CoreSettings.DRIVER.name());
    if (driver || name.equals(CoreSettings.PATH.name())) {
      Collection<String> known = driver ? vocabulary.driverNames() : vocabulary.pathNames();
      String text = scalar.oneOf(known, name, "");
      return Given.of(Settings.NONE.with(name, text), scalar.at());
    }
    List<SettingDescription> declared = vocabulary.settings(name);
    return declared.stream()
        .flatMap(setting -> SettingText.parse(setting, scalar.text()).stream())
        .findFirst()
        .map(known -> Given.of(staged(Settings.NONE.with(name, known)), scalar.at()))
        .orElseThrow(() -> scalar.at().says(SettingText.sentence(declared.get(0), scalar.text())));
  }

  /** Stages are the measured part, and the warm-up before them has their first rate. */
  private static Settings staged(Settings one) {
    return one.find(CoreSettings.STAGES)
        .map(
            stages ->
                one.with(CoreSettings.RATE, stages.firstRate())
                    .with(CoreSettings.MEASURE, stages.seconds()))
        .orElse(one);
  }

  /** Terms that are held equal; each is a setting of its key behind a prefix. */
  Given terms(YamlNode equal) {
    Given placed = Given.NOTHING;
    for (Pair pair : equal.pairs()) {
      Scalar value = Form.scalar(pair.value(), "'" + pair.key().text() + "'");
      placed = placed.with(value(EqualTerm.PREFIX + pair.key().text(), value));
    }
    return placed;
  }
}
