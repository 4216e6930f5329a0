package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.ExperimentException.Problem;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/** Collects the mistakes of one source. */
final class Problems {

  private final String source;
  private final Set<Problem> found = new LinkedHashSet<>();

  Problems(String source) {
    this.source = source;
  }

  /** Adds a sentence; with values it is a format string. */
  @SuppressWarnings("AnnotateFormatMethod")
  void add(Position at, String sentence, Object... values) {
    String words = values.length == 0 ? sentence : sentence.formatted(values);
    found.add(new Problem(source, at.line(), at.column(), words.replaceAll("\\s+", " ")));
  }

  /** Adds that a name is not among those known. */
  void addUnknown(String what, Scalar name, Collection<String> known) {
    addUnknown(what, name, known, "");
  }

  /** Adds that a name is not among those known at a place, such as {@code " in the grid"}. */
  void addUnknown(String what, Scalar name, Collection<String> known, String where) {
    String hint = SpellingSuggestion.hint(name.text(), known);
    add(name.at(), "unknown %s '%s'%s; %s", what, name.text(), where, hint);
  }

  /** Adds those of another source. */
  void addAll(Problems others) {
    found.addAll(others.found);
  }

  int count() {
    return found.size();
  }

  boolean none() {
    return found.isEmpty();
  }

  /**
   * @throws ExperimentException if there is any
   */
  void throwIfAny() {
    if (!none()) {
      throw new ExperimentException(
          found.stream()
              .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
              .toList());
    }
  }
}
