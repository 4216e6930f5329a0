package io.pyrometer.experiment;

import io.pyrometer.experiment.Draft.DraftFactor;
import io.pyrometer.experiment.Draft.DraftLevel;
import io.pyrometer.protocol.SettingDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads factors with their levels, and cases. */
final class LevelReader {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final int LONGEST_LABEL = 80;

  private final Vocabulary vocabulary;
  private final GivenReader givenReader;
  private final Problems problems;

  LevelReader(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.givenReader = new GivenReader(vocabulary, problems);
    this.problems = problems;
  }

  List<DraftFactor> factors(YamlNode node) {
    List<DraftFactor> factors = new ArrayList<>();
    for (YamlNode.Pair pair : Keyed.open(node, "'factors'", problems).pairs()) {
      factors.add(factor(pair));
    }
    return factors;
  }

  private DraftFactor factor(YamlNode.Pair pair) {
    String name = pair.key().text();
    if (!NAME.matcher(name).matches()) {
      problems.add(
          pair.key().at(),
          "'" + name + "' is no name for a factor; use small letters, digits and hyphens.");
    }
    if (!(pair.value() instanceof YamlNode.Items items)) {
      problems.add(
          pair.value().at(),
          "the levels of factor '" + name + "' must be a list; write " + name + ": [a, b].");
      return new DraftFactor(name, pair.key().at(), List.of());
    }
    if (items.nodes().isEmpty()) {
      problems.add(
          items.at(), "factor '" + name + "' has no level; give at least one or remove it.");
    }
    List<DraftLevel> levels = new ArrayList<>();
    for (YamlNode item : items.nodes()) {
      level(pair.key(), item).ifPresent(levels::add);
    }
    checkDifferent(name, levels);
    return new DraftFactor(name, pair.key().at(), List.copyOf(levels));
  }

  private Optional<DraftLevel> level(YamlNode.Scalar factor, YamlNode item) {
    String what = "a level of factor '" + factor.text() + "'";
    if (item instanceof YamlNode.Keys) {
      Keyed keyed = Keyed.of(item, what, List.of("label", "set"), problems);
      Optional<YamlNode.Scalar> label = keyed.required("label", "a short name for it");
      Optional<YamlNode> set = keyed.requiredNode("set", "settings such as {path: put}");
      label.ifPresent(this::checkLabel);
      Given given = set.map(node -> settings(node, what)).orElse(Given.NOTHING);
      return label.map(scalar -> new DraftLevel(scalar.text(), given, scalar.at()));
    }
    Optional<YamlNode.Scalar> scalar = Keyed.scalar(what, item, problems);
    Optional<SettingDescription> setting = vocabulary.setting(factor.text());
    if (setting.isEmpty() && !NAME.matcher(factor.text()).matches()) {
      return Optional.empty();
    }
    if (setting.isEmpty()) {
      problems.add(
          factor.at(),
          "factor '"
              + factor.text()
              + "' is no setting; "
              + Nearest.to(factor.text(), vocabulary.settingNames())
                  .map(right -> "did you mean '" + right + "'?")
                  .orElse("write its levels as {label: …, set: {…}}."));
      return Optional.empty();
    }
    scalar.ifPresent(this::checkLabel);
    return scalar.map(s -> new DraftLevel(s.text(), givenReader.value(setting.get(), s), s.at()));
  }

  private Given settings(YamlNode set, String what) {
    Keyed keyed = Keyed.open(set, "'set'", problems);
    if (set instanceof YamlNode.Keys && keyed.pairs().isEmpty()) {
      problems.add(set.at(), "'set' sets nothing; give at least one setting.");
    }
    return givenReader.read(keyed, what, List.of());
  }

  private void checkLabel(YamlNode.Scalar label) {
    if (label.text().length() > LONGEST_LABEL) {
      problems.add(
          label.at(), "this label is longer than " + LONGEST_LABEL + " characters; shorten it.");
    }
  }

  private void checkDifferent(String factor, List<DraftLevel> levels) {
    for (int i = 0; i < levels.size(); i++) {
      for (DraftLevel before : levels.subList(0, i)) {
        DraftLevel level = levels.get(i);
        boolean settled = !level.given().settings().values().isEmpty();
        if (before.label().equals(level.label())) {
          problems.add(
              level.at(),
              "factor '"
                  + factor
                  + "' has the level '"
                  + level.label()
                  + "' twice; rename or remove one.");
        } else if (settled && before.given().settings().equals(level.given().settings())) {
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
  List<DraftLevel> cases(YamlNode node) {
    List<DraftLevel> cases = new ArrayList<>();
    Keyed keyed = Keyed.open(node, "'cases'", problems);
    if (node instanceof YamlNode.Keys && keyed.pairs().isEmpty()) {
      problems.add(node.at(), "'cases' names no case; give at least one or remove it.");
    }
    for (YamlNode.Pair pair : keyed.pairs()) {
      String what = "case '" + pair.key().text() + "'";
      checkLabel(pair.key());
      Given given = givenReader.read(Keyed.open(pair.value(), what, problems), what, List.of());
      cases.add(new DraftLevel(pair.key().text(), given, pair.key().at()));
    }
    return cases;
  }
}
