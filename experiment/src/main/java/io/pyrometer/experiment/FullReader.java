package io.pyrometer.experiment;

import java.util.ArrayList;
import java.util.List;

/** Reads what an experiment is at its full length. */
final class FullReader {
  private static final String KEY = "full";

  private FullReader() {}

  static Full read(YamlNode node, Problems problems) {
    Keyed full = Keyed.of(node, "'full'", List.of("set", "only"), problems);
    List<String> set = new ArrayList<>();
    full.requiredNode("set", "one such as {measure: 10m}")
        .map(changes -> Keyed.open(changes, "'set'", problems))
        .ifPresent(changes -> changes.pairs().forEach(pair -> set.add(change(pair, problems))));
    List<String> only = new ArrayList<>();
    full.node("only").ifPresent(sentences -> only.addAll(sentences(sentences, problems)));
    return new Full(set, only);
  }

  private static String change(YamlNode.Pair pair, Problems problems) {
    String name = pair.key().text();
    if (pair.value() instanceof YamlNode.Items items) {
      List<String> levels = new ArrayList<>();
      items
          .nodes()
          .forEach(
              item ->
                  Keyed.scalar("a level", item, problems)
                      .ifPresent(scalar -> levels.add(scalar.text())));
      return name + "=" + String.join(",", levels);
    }
    return Keyed.scalar("'" + name + "'", pair.value(), problems)
        .map(scalar -> name + "=" + scalar.text())
        .orElse(name + "=");
  }

  private static List<String> sentences(YamlNode node, Problems problems) {
    List<String> sentences = new ArrayList<>();
    if (node instanceof YamlNode.Items items) {
      for (YamlNode item : items.nodes()) {
        Keyed.scalar("a sentence", item, problems).ifPresent(s -> sentences.add(s.text()));
      }
    } else {
      problems.add(node.at(), "'only' must be a list of sentences; write [\"…\"].");
    }
    return sentences;
  }

  /** The same experiment; says where it is not valid at its full length. */
  static Experiment checked(
      Experiment experiment, Keyed file, Catalogue catalogue, Problems problems) {
    if (!experiment.full().set().isEmpty()) {
      try {
        Experiment unused = experiment.atFullLength(catalogue);
      } catch (ExperimentException invalid) {
        Position at = file.position(KEY).orElse(new Position(0, 0));
        invalid
            .problems()
            .forEach(problem -> problems.add(at, "at full length " + problem.sentence()));
      }
    }
    return experiment;
  }
}
