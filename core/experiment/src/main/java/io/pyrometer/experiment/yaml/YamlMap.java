package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A map of a file whose keys are known, and the questions one asks of it. */
final class YamlMap {

  private final YamlNode.Keys keys;
  private final String what;
  private final Problems problems;
  private final Set<String> meant = new HashSet<>();

  private YamlMap(YamlNode.Keys keys, String what, Problems problems) {
    this.keys = keys;
    this.what = what;
    this.problems = problems;
  }

  /** Says which keys are not among the known. */
  static YamlMap of(YamlNode node, String what, List<String> known, Problems problems) {
    YamlMap map = open(node, what, problems);
    for (YamlNode.Pair pair : map.keys.pairs()) {
      String key = pair.key().text();
      if (!known.contains(key)) {
        problems.add(
            pair.key().at(),
            "unknown key '" + key + "' in " + what + "; " + SpellingSuggestion.hint(key, known));
        SpellingSuggestion.to(key, known).ifPresent(map.meant::add);
      }
    }
    return map;
  }

  /** Any key is welcome. */
  static YamlMap open(YamlNode node, String what, Problems problems) {
    if (node instanceof YamlNode.Keys keys) {
      return new YamlMap(keys, what, problems);
    }
    problems.add(node.at(), what + " must be a map; write it as 'key: value' pairs.");
    return new YamlMap(new YamlNode.Keys(node.at(), List.of()), what, problems);
  }

  List<YamlNode.Pair> pairs() {
    return keys.pairs();
  }

  Optional<Position> position(String key) {
    return keys.find(key).map(pair -> pair.key().at());
  }

  Optional<YamlNode> node(String key) {
    return keys.value(key);
  }

  /** The scalar under a key; says so if there is something else. */
  Optional<YamlNode.Scalar> scalar(String key) {
    return keys.value(key).flatMap(node -> asScalar(key, node));
  }

  Optional<YamlNode.Scalar> required(String key, String example) {
    return requiredNode(key, example).flatMap(node -> asScalar(key, node));
  }

  Optional<YamlNode> requiredNode(String key, String example) {
    Optional<YamlNode> node = keys.value(key);
    if (node.isEmpty() && !meant.contains(key)) {
      problems.add(keys.at(), "'" + key + "' is missing in " + what + "; give " + example + ".");
    }
    return node;
  }

  private Optional<YamlNode.Scalar> asScalar(String key, YamlNode node) {
    return YamlMap.scalar("'" + key + "'", node, problems);
  }

  /** The node as a scalar that is not empty; says so if it is not. */
  static Optional<YamlNode.Scalar> scalar(String what, YamlNode node, Problems problems) {
    if (!(node instanceof YamlNode.Scalar scalar)) {
      String found = node instanceof YamlNode.Items ? "a list" : "a map";
      problems.add(node.at(), what + " takes one value, not " + found + "; write a single value.");
      return Optional.empty();
    }
    if (scalar.empty()) {
      problems.add(node.at(), what + " has no value; give one or remove it.");
      return Optional.empty();
    }
    return Optional.of(scalar);
  }

  /**
   * A list of names, each of which is known and stands there once.
   *
   * @param one what a name is of, for sentences
   * @param key what the list stands under
   * @param least how many there must be
   */
  static List<YamlNode.Scalar> names(
      YamlNode node, String one, String key, List<String> known, int least, Problems problems) {
    if (!(node instanceof YamlNode.Items items) || items.nodes().size() < least) {
      problems.add(
          node.at(),
          "'%s' must be a list%s; write [%s]."
              .formatted(key, least == 0 ? "" : " of at least one", known.get(0)));
      return List.of();
    }
    List<YamlNode.Scalar> names = new ArrayList<>();
    String article = one.startsWith("a") ? "an " : "a ";
    for (YamlNode item : items.nodes()) {
      scalar(article + one, item, problems)
          .ifPresent(
              scalar -> {
                String name = scalar.text();
                if (!known.contains(name)) {
                  problems.add(
                      scalar.at(),
                      "unknown %s '%s'; %s"
                          .formatted(one, name, SpellingSuggestion.hint(name, known)));
                } else if (names.stream().anyMatch(other -> other.text().equals(name))) {
                  problems.add(scalar.at(), "'" + name + "' is listed twice; remove one.");
                }
                names.add(scalar);
              });
    }
    return List.copyOf(names);
  }
}
