package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.experiment.model.TrialKinds;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Stages;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads settings: each name is known, and each value is one that the setting takes. */
final class SettingsReader {

  private static final List<String> OF_STAGES =
      List.of(CoreSettings.RATE.name(), CoreSettings.MEASURE.name());

  private static final String PROPERTIES =
      SettingDescription.PROPERTY.substring(0, SettingDescription.PROPERTY.length() - 1);

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
  Placed read(YamlNode map, String what, List<String> keys) {
    Placed placed = Placed.NOTHING;
    boolean staged = map.hasKey(CoreSettings.STAGES.name());
    for (Pair pair : map.pairs()) {
      if (staged && OF_STAGES.contains(pair.key().text())) {
        problems.add(pair.key().at(), "'stages' say the '%s'; remove it.", pair.key().text());
      } else if (pair.key().text().equals(PROPERTIES)) {
        placed = placed.with(properties(pair));
      } else if (!keys.contains(pair.key().text())) {
        placed = placed.with(setting(pair, what, keys));
      }
    }
    return placed;
  }

  /** Options of the product: a map by the product's own names. */
  private Placed properties(Pair properties) {
    if (!(properties.value() instanceof YamlNode.Keys)) {
      problems.add(
          properties.key().at(), "'properties' must be a map; write it as 'key: value' pairs.");
      return Placed.NOTHING;
    }
    Placed placed = Placed.NOTHING;
    for (Pair pair : properties.value().pairs()) {
      Scalar key = pair.key();
      String name = SettingDescription.PROPERTY + key.text();
      if (vocabulary.setting(name).isEmpty()) {
        problems.add(
            key.at(),
            "the driver '%s' passes no properties on; remove them.",
            String.join("' or '", vocabulary.driverNames()));
        return placed;
      }
      Optional<Scalar> scalar = Form.scalar(pair.value(), "'" + key.text() + "'", problems);
      if (scalar.isPresent()) {
        Scalar value = scalar.get();
        placed = placed.with(Placed.of(name, value.text(), key.at()));
      }
    }
    return placed;
  }

  /** The setting of one key of a map; nothing where it is absent. */
  Placed one(YamlNode map, String key) {
    return map.pair(key).map(pair -> setting(pair, "the file", List.of())).orElse(Placed.NOTHING);
  }

  private Placed setting(Pair pair, String what, List<String> keys) {
    String name = pair.key().text();
    Optional<TrialKind> kind = TrialKinds.ofKey(name);
    Optional<SettingDescription> setting = vocabulary.setting(name);
    if (kind.isEmpty() && setting.isEmpty()) {
      List<String> names = new ArrayList<>(vocabulary.settingNames());
      names.addAll(keys);
      problems.addUnknown("setting", pair.key(), names, " in " + what);
      return Placed.NOTHING;
    }
    Optional<Scalar> scalar =
        setting
            .map(of -> scalar(of, pair.value(), "'" + name + "'"))
            .orElseGet(() -> Form.scalar(pair.value(), "'" + name + "'", problems));
    return scalar
        .map(text -> kind.map(of -> path(of, text)).orElseGet(() -> value(name, text)))
        .orElse(Placed.NOTHING);
  }

  /** The text of a value: may be a list of several names, and a map of shares. */
  Optional<Scalar> scalar(SettingDescription setting, YamlNode node, String what) {
    if (setting.type() == SettingDescription.Type.SHARES && node instanceof YamlNode.Keys) {
      String shares =
          node.pairs().stream()
              .flatMap(
                  pair ->
                      Form.scalar(pair.value(), "a share of " + what, problems).stream()
                          .map(share -> pair.key().text() + " " + share.text()))
              .collect(Collectors.joining(", "));
      return Optional.of(new Scalar(node.at(), shares, true));
    }
    if (setting.type() == SettingDescription.Type.STAGES && node instanceof YamlNode.Items) {
      String stages =
          node.items().stream().map(SettingsReader::stage).collect(Collectors.joining(", "));
      return Optional.of(new Scalar(node.at(), stages, true));
    }
    boolean several =
        setting.type() == SettingDescription.Type.NAMES
            || setting.type() == SettingDescription.Type.STEPS;
    if (!several || !(node instanceof YamlNode.Items)) {
      return Form.scalar(node, what, problems);
    }
    String names =
        node.items().stream()
            .flatMap(item -> Form.scalar(item, "a name of " + what, problems).stream())
            .map(Scalar::text)
            .collect(Collectors.joining(","));
    return Optional.of(new Scalar(node.at(), names, true));
  }

  private static String stage(YamlNode node) {
    return (node.hasKey("ramp-to") ? "to " : "")
        + node.textOf("rate").or(() -> node.textOf("ramp-to")).orElse("?")
        + " for "
        + node.textOf("for").orElse("?");
  }

  /** The path that a key of a kind of trial names. */
  private Placed path(TrialKind kind, Scalar scalar) {
    Set<String> paths = vocabulary.pathNames(kind.job());
    for (String path : paths) {
      if (kind.name(path).equals(scalar.text())) {
        return Placed.of(CoreSettings.PATH.name(), path, scalar.at());
      }
    }
    Optional<Settings> other = kind.settings(scalar.text(), paths);
    if (other.isPresent()) {
      Map<String, Position> at = new HashMap<>();
      other.get().values().keySet().forEach(name -> at.put(name, scalar.at()));
      return new Placed(other.get(), at);
    }
    List<String> names = paths.stream().map(kind::name).toList();
    return named(CoreSettings.PATH.name(), kind.key(), scalar, names);
  }

  /** One value of one known setting; nothing if it is not one of the setting's values. */
  Placed value(String name, Scalar scalar) {
    if (name.equals(CoreSettings.DRIVER.name())) {
      return named(name, "driver", scalar, vocabulary.driverNames());
    }
    if (name.equals(CoreSettings.PATH.name())) {
      return named(name, "path", scalar, vocabulary.pathNames());
    }
    List<SettingDescription> declared = vocabulary.settings(name);
    Optional<Object> value =
        declared.stream()
            .flatMap(setting -> SettingText.parse(setting, scalar.text()).stream())
            .findFirst();
    if (value.isEmpty()) {
      problems.add(scalar.at(), SettingText.sentence(declared.get(0), scalar.text()));
    }
    return value.map(known -> placed(name, known, scalar.at())).orElse(Placed.NOTHING);
  }

  /** Stages are the measured part, and the warm-up before them has their first rate. */
  private static Placed placed(String name, Object value, Position at) {
    Placed placed = Placed.of(name, value, at);
    if (!name.equals(CoreSettings.STAGES.name())) {
      return placed;
    }
    Stages stages = placed.settings().get(CoreSettings.STAGES);
    return placed
        .with(Placed.of(CoreSettings.RATE.name(), stages.firstRate(), at))
        .with(Placed.of(CoreSettings.MEASURE.name(), stages.seconds(), at));
  }

  /** An unknown name stays as it is, so that nobody complains that there is none. */
  private Placed named(String name, String what, Scalar scalar, Collection<String> known) {
    if (!known.contains(scalar.text())) {
      problems.addUnknown(what, scalar, known);
    }
    return Placed.of(name, scalar.text(), scalar.at());
  }

  /** Settings under a key of their own; each is the setting of its key behind the prefix. */
  Placed prefixed(String prefix, YamlNode map) {
    Placed placed = Placed.NOTHING;
    for (Pair pair : map.pairs()) {
      Optional<Scalar> scalar = pair.value().scalar();
      String name = prefix + pair.key().text();
      if (scalar.isPresent() && vocabulary.setting(name).isPresent()) {
        placed = placed.with(value(name, scalar.get()));
      }
    }
    return placed;
  }
}
