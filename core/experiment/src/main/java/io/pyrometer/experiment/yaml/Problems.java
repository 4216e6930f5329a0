package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.ExperimentException.Problem;
import io.pyrometer.experiment.yaml.YamlNode.Position;
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

  void add(Position at, String sentence) {
    found.add(new Problem(source, at.line(), at.column(), sentence.replaceAll("\\s+", " ")));
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
