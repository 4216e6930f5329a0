package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads settings: each name is known, and each value is one that the setting takes. */
final class SettingsReader {

  private final Vocabulary vocabulary;
  private final Problems problems;

  SettingsReader(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  /**
   * Settings with their places in a file.
   *
   * @param at the place of each value
   */
  record Placed(Settings settings, Map<String, Position> at) {

    static final Placed NOTHING = new Placed(Settings.NONE, Map.of());

    Placed {
      at = Map.copyOf(at);
    }

    static Placed of(String name, Object value, Position position) {
      return new Placed(Settings.NONE.with(name, value), Map.of(name, position));
    }

    Placed with(Placed over) {
      Map<String, Position> merged = new HashMap<>(at);
      merged.putAll(over.at);
      return new Placed(settings.with(over.settings), merged);
    }
  }

  /**
   * The pairs of a map as settings.
   *
   * @param keys those that stand beside the settings and are read elsewhere
   */
  Placed read(YamlMap map, String what, List<String> keys) {
    Placed placed = Placed.NOTHING;
    for (YamlNode.Pair pair : map.pairs()) {
      if (!keys.contains(pair.key().text())) {
        placed = placed.with(setting(pair, what, keys));
      }
    }
    return placed;
  }

  private Placed setting(YamlNode.Pair pair, String what, List<String> keys) {
    String name = pair.key().text();
    Optional<TrialKind> kind = TrialKinds.ofKey(name);
    if (kind.isPresent()) {
      return YamlMap.scalar("'" + name + "'", pair.value(), problems)
          .map(scalar -> path(kind.get(), scalar))
          .orElse(Placed.NOTHING);
    }
    Optional<SettingDescription> setting = vocabulary.setting(name);
    if (setting.isEmpty()) {
      List<String> names = new ArrayList<>(vocabulary.settingNames());
      names.addAll(keys);
      problems.add(
          pair.key().at(),
          "unknown setting '"
              + name
              + "' in "
              + what
              + "; "
              + SpellingSuggestion.hint(name, names));
      return Placed.NOTHING;
    }
    return scalar(setting.get(), "'" + name + "'", pair.value())
        .map(scalar -> value(name, scalar))
        .orElse(Placed.NOTHING);
  }

  /** The path that a key of a kind of trial names. */
  private Placed path(TrialKind kind, YamlNode.Scalar scalar) {
    String setting = CoreSettings.PATH.name();
    Set<String> paths = vocabulary.pathNames(kind.job());
    for (String path : paths) {
      if (kind.name(path).equals(scalar.text())) {
        return Placed.of(setting, path, scalar.at());
      }
    }
    Optional<Settings> other = kind.settings(scalar.text(), paths);
    if (other.isPresent()) {
      Placed placed = Placed.NOTHING;
      for (Map.Entry<String, Object> each : other.get().values().entrySet()) {
        placed = placed.with(Placed.of(each.getKey(), each.getValue(), scalar.at()));
      }
      return placed;
    }
    return named(setting, kind.key(), scalar, paths.stream().map(kind::name).toList());
  }

  /** The text of a value, which may be a list where the setting takes several names. */
  Optional<YamlNode.Scalar> scalar(SettingDescription setting, String what, YamlNode node) {
    boolean several =
        setting.type() == SettingDescription.Type.NAMES
            || setting.type() == SettingDescription.Type.STEPS;
    if (!several || !(node instanceof YamlNode.Items items)) {
      return YamlMap.scalar(what, node, problems);
    }
    List<String> names = new ArrayList<>();
    items
        .nodes()
        .forEach(
            item ->
                YamlMap.scalar("a name of " + what, item, problems)
                    .ifPresent(scalar -> names.add(scalar.text())));
    return Optional.of(new YamlNode.Scalar(node.at(), String.join(",", names), true));
  }

  /** One value of one known setting; nothing if it is not one of the setting's values. */
  Placed value(String name, YamlNode.Scalar scalar) {
    String text = scalar.text();
    if (name.equals(CoreSettings.DRIVER.name())) {
      return named(name, "driver", scalar, vocabulary.driverNames());
    }
    if (name.equals(CoreSettings.PATH.name())) {
      return named(name, "path", scalar, vocabulary.pathNames());
    }
    List<SettingDescription> declared = vocabulary.settings(name);
    Optional<Object> value =
        declared.stream().flatMap(setting -> SettingText.parse(setting, text).stream()).findFirst();
    if (value.isEmpty()) {
      problems.add(scalar.at(), SettingText.sentence(declared.get(0), text));
      return Placed.NOTHING;
    }
    return Placed.of(name, value.get(), scalar.at());
  }

  /** An unknown name stays as it is, so that nobody complains that there is none. */
  private Placed named(String name, String what, YamlNode.Scalar scalar, Collection<String> known) {
    String text = scalar.text();
    if (known.contains(text)) {
      return Placed.of(name, text, scalar.at());
    }
    problems.add(
        scalar.at(),
        "unknown %s '%s'; %s".formatted(what, text, SpellingSuggestion.hint(text, known)));
    return Placed.of(name, text, scalar.at());
  }

  /** Reads the key {@code equal} of a file: each term is the setting {@code equal-TERM}. */
  Placed equalTerms(YamlNode node) {
    List<String> names =
        EqualTerm.ALL.stream().map(key -> key.name().substring(EqualTerm.PREFIX.length())).toList();
    Placed placed = Placed.NOTHING;
    for (YamlNode.Pair pair : YamlMap.of(node, "'equal'", names, problems).pairs()) {
      String name = pair.key().text();
      if (names.contains(name)) {
        placed =
            placed.with(
                YamlMap.scalar("'" + name + "'", pair.value(), problems)
                    .map(scalar -> value(EqualTerm.PREFIX + name, scalar))
                    .orElse(Placed.NOTHING));
      }
    }
    return placed;
  }
}
