package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.protocol.SettingDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads factors with their levels, and cases. */
final class FactorReader {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final int LONGEST_LABEL = 80;

  private final Vocabulary vocabulary;
  private final SettingsReader settingsReader;
  private final Problems problems;

  FactorReader(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.settingsReader = new SettingsReader(vocabulary, problems);
    this.problems = problems;
  }

  List<PlacedFactor> factors(YamlNode node) {
    List<PlacedFactor> factors = new ArrayList<>();
    for (YamlNode.Pair pair : YamlMap.open(node, "'factors'", problems).pairs()) {
      factors.add(factor(pair));
    }
    return factors;
  }

  private PlacedFactor factor(YamlNode.Pair pair) {
    String name = pair.key().text();
    if (!NAME.matcher(name).matches()) {
      problems.add(
          pair.key().at(),
          "'"
              + name
              + "' is not a valid name for a factor; use small letters, digits and hyphens.");
    }
    if (!(pair.value() instanceof YamlNode.Items items)) {
      problems.add(
          pair.value().at(),
          "the levels of factor '" + name + "' must be a list; write " + name + ": [a, b].");
      return new PlacedFactor(name, pair.key().at(), List.of());
    }
    if (items.nodes().isEmpty()) {
      problems.add(
          items.at(), "factor '" + name + "' has no level; give at least one or remove it.");
    }
    List<PlacedLevel> levels = new ArrayList<>();
    for (YamlNode item : items.nodes()) {
      level(pair.key(), item).ifPresent(levels::add);
    }
    checkDifferent(name, levels);
    return new PlacedFactor(name, pair.key().at(), List.copyOf(levels));
  }

  private Optional<PlacedLevel> level(YamlNode.Scalar factor, YamlNode item) {
    String what = "a level of factor '" + factor.text() + "'";
    if (item instanceof YamlNode.Keys) {
      YamlMap keyed = YamlMap.of(item, what, List.of("label", "set"), problems);
      Optional<YamlNode.Scalar> label = keyed.required("label", "a short name for it");
      Optional<YamlNode> set = keyed.requiredNode("set", "settings such as {path: put}");
      label.ifPresent(this::checkLabel);
      Placed given = set.map(node -> settings(node, what)).orElse(Placed.NOTHING);
      return label.map(scalar -> new PlacedLevel(scalar.text(), given, scalar.at()));
    }
    Optional<SettingDescription> setting = vocabulary.setting(factor.text());
    Optional<YamlNode.Scalar> scalar =
        setting
            .map(known -> settingsReader.scalar(known, what, item))
            .orElseGet(() -> YamlMap.scalar(what, item, problems));
    if (setting.isEmpty() && !NAME.matcher(factor.text()).matches()) {
      return Optional.empty();
    }
    if (setting.isEmpty()) {
      problems.add(
          factor.at(),
          "factor '"
              + factor.text()
              + "' is not a setting; "
              + SpellingSuggestion.to(factor.text(), vocabulary.settingNames())
                  .map(right -> "did you mean '" + right + "'?")
                  .orElse("write its levels as {label: …, set: {…}}."));
      return Optional.empty();
    }
    scalar.ifPresent(this::checkLabel);
    return scalar.map(
        s -> new PlacedLevel(s.text(), settingsReader.value(factor.text(), s), s.at()));
  }

  private Placed settings(YamlNode set, String what) {
    YamlMap keyed = YamlMap.open(set, "'set'", problems);
    if (set instanceof YamlNode.Keys && keyed.pairs().isEmpty()) {
      problems.add(set.at(), "'set' sets nothing; give at least one setting.");
    }
    return settingsReader.read(keyed, what, List.of());
  }

  private void checkLabel(YamlNode.Scalar label) {
    if (label.text().length() > LONGEST_LABEL) {
      problems.add(
          label.at(), "this label is longer than " + LONGEST_LABEL + " characters; shorten it.");
    }
  }

  private void checkDifferent(String factor, List<PlacedLevel> levels) {
    for (int i = 0; i < levels.size(); i++) {
      for (PlacedLevel before : levels.subList(0, i)) {
        PlacedLevel level = levels.get(i);
        boolean settled = !level.settings().settings().values().isEmpty();
        if (before.label().equals(level.label())) {
          problems.add(
              level.at(),
              "factor '"
                  + factor
                  + "' has the level '"
                  + level.label()
                  + "' twice; rename or remove one.");
        } else if (settled && before.settings().settings().equals(level.settings().settings())) {
          problems.add(
              level.at(),
              "the levels '"
                  + before.label()
                  + "' and '"
                  + level.label()
                  + "' of factor '"
                  + factor
                  + "' set the same; remove one.");
        }
      }
    }
  }

  /** Named sets of settings, each of which a design starts from. */
  List<PlacedLevel> cases(YamlNode node) {
    List<PlacedLevel> cases = new ArrayList<>();
    YamlMap keyed = YamlMap.open(node, "'cases'", problems);
    if (node instanceof YamlNode.Keys && keyed.pairs().isEmpty()) {
      problems.add(node.at(), "'cases' names no case; give at least one or remove it.");
    }
    for (YamlNode.Pair pair : keyed.pairs()) {
      String what = "case '" + pair.key().text() + "'";
      checkLabel(pair.key());
      Placed given =
          settingsReader.read(YamlMap.open(pair.value(), what, problems), what, List.of());
      cases.add(new PlacedLevel(pair.key().text(), given, pair.key().at()));
    }
    return cases;
  }
}
