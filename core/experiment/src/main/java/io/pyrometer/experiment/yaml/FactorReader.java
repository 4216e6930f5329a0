package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.model.Vocabulary;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedFactor;
import io.pyrometer.experiment.yaml.ParsedExperiment.PlacedLevel;
import io.pyrometer.experiment.yaml.SettingsReader.Placed;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import io.pyrometer.protocol.SettingDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads factors with their levels, and cases. */
final class FactorReader {

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
    return node.pairs().stream().map(this::factor).toList();
  }

  /** The levels of a factor, which is a list of them or has them beside its role. */
  static List<YamlNode> levels(Pair factor) {
    return factor.value().value("levels").orElse(factor.value()).items();
  }

  private PlacedFactor factor(Pair pair) {
    List<PlacedLevel> levels = new ArrayList<>();
    for (YamlNode item : levels(pair)) {
      level(pair.key(), item)
          .ifPresent(
              level -> {
                checkDifferent(pair.key().text(), level, levels);
                levels.add(level);
              });
    }
    Optional<Role> role =
        pair.value()
            .textOf("role")
            .flatMap(
                text ->
                    Stream.of(Role.values())
                        .filter(each -> each.name().equalsIgnoreCase(text))
                        .findFirst());
    return new PlacedFactor(pair.key().text(), pair.key().at(), List.copyOf(levels), role);
  }

  private Optional<PlacedLevel> level(Scalar factor, YamlNode item) {
    String name = factor.text();
    if (item instanceof YamlNode.Keys) {
      Placed given =
          item.value("set")
              .map(set -> settingsReader.read(set, "a level of factor '" + name + "'", List.of()))
              .orElse(Placed.NOTHING);
      item.scalar("label").ifPresent(this::checkLabel);
      return item.scalar("label").map(label -> new PlacedLevel(label.text(), given, label.at()));
    }
    Optional<SettingDescription> setting = vocabulary.setting(name);
    if (setting.isEmpty()) {
      String hint =
          SpellingSuggestion.to(name, vocabulary.settingNames())
              .map("did you mean '%s'?"::formatted)
              .orElse("write its levels as {label: …, set: {…}}.");
      problems.add(factor.at(), "factor '%s' is not a setting; %s", name, hint);
      return Optional.empty();
    }
    Optional<Scalar> scalar = settingsReader.scalar(setting.get(), item, "a level");
    scalar.ifPresent(this::checkLabel);
    return scalar.map(s -> new PlacedLevel(s.text(), settingsReader.value(name, s), s.at()));
  }

  private void checkLabel(Scalar label) {
    if (label.text().length() > LONGEST_LABEL) {
      String sentence = "this label is longer than %d characters; shorten it.";
      problems.add(label.at(), sentence, LONGEST_LABEL);
    }
  }

  private void checkDifferent(String factor, PlacedLevel level, List<PlacedLevel> earlier) {
    for (PlacedLevel before : earlier) {
      if (before.label().equals(level.label())) {
        String sentence = "factor '%s' has the level '%s' twice; rename or remove one.";
        problems.add(level.at(), sentence, factor, level.label());
      } else if (!level.settings().settings().values().isEmpty()
          && before.settings().settings().equals(level.settings().settings())) {
        String sentence = "the levels '%s' and '%s' of factor '%s' set the same; remove one.";
        problems.add(level.at(), sentence, before.label(), level.label(), factor);
      }
    }
  }

  /** Named sets of settings, each of which a design starts from. */
  List<PlacedLevel> cases(YamlNode node) {
    List<PlacedLevel> cases = new ArrayList<>();
    for (Pair pair : node.pairs()) {
      String name = pair.key().text();
      checkLabel(pair.key());
      Placed given = settingsReader.read(pair.value(), "case '" + name + "'", List.of());
      cases.add(new PlacedLevel(name, given, pair.key().at()));
    }
    return cases;
  }
}
