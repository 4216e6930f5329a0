package io.pyrometer.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a list of names, each of which is known and stands there once. */
final class NamesReader {
  private final String one;
  private final String key;
  private final Problems problems;
  private boolean mayBeEmpty;

  /**
   * @param one what a name is of, for sentences
   * @param key what the list stands under
   */
  NamesReader(String one, String key, Problems problems) {
    this.one = one;
    this.key = key;
    this.problems = problems;
  }

  /** An empty list is welcome too. */
  NamesReader orNone() {
    mayBeEmpty = true;
    return this;
  }

  List<YamlNode.Scalar> read(YamlNode node, List<String> known) {
    if (!(node instanceof YamlNode.Items items) || (items.nodes().isEmpty() && !mayBeEmpty)) {
      problems.add(
          node.at(),
          "'%s' must be a list%s; write [%s]."
              .formatted(key, mayBeEmpty ? "" : " of at least one", known.get(0)));
      return List.of();
    }
    List<YamlNode.Scalar> names = new ArrayList<>();
    for (YamlNode item : items.nodes()) {
      Optional<YamlNode.Scalar> name = Keyed.scalar(article() + one, item, problems);
      name.ifPresent(scalar -> check(scalar, names, known));
    }
    return List.copyOf(names);
  }

  private void check(YamlNode.Scalar scalar, List<YamlNode.Scalar> before, List<String> known) {
    String name = scalar.text();
    if (!known.contains(name)) {
      problems.add(
          scalar.at(), "unknown %s '%s'; %s".formatted(one, name, Nearest.hint(name, known)));
    } else if (before.stream().anyMatch(other -> other.text().equals(name))) {
      problems.add(scalar.at(), "'" + name + "' is asked for twice; remove one.");
    }
    before.add(scalar);
  }

  private String article() {
    return one.startsWith("a") ? "an " : "a ";
  }
}
