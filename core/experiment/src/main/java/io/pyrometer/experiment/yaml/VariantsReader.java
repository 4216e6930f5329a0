package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads what {@code --quick} and {@code --full} change in an experiment. */
final class VariantsReader {
  private static final String QUICK = "quick";
  private static final String FULL = "full";

  private final YamlMap file;
  private final Problems problems;

  VariantsReader(YamlMap file, Problems problems) {
    this.file = file;
    this.problems = problems;
  }

  Variants read() {
    List<String> quick = new ArrayList<>();
    file.node(QUICK).ifPresent(node -> quick.addAll(changes(node, "'quick'")));
    List<String> full = new ArrayList<>();
    List<String> only = new ArrayList<>();
    file.node(FULL)
        .map(node -> YamlMap.of(node, "'full'", List.of("set", "only"), problems))
        .ifPresent(
            map -> {
              map.requiredNode("set", "one such as {measure: 10m}")
                  .ifPresent(set -> full.addAll(changes(set, "'set'")));
              map.node("only").ifPresent(node -> only.addAll(sentences(node)));
            });
    return new Variants(quick, full, only);
  }

  /** Each change as the command line would write it: {@code name=value,…}. */
  private List<String> changes(YamlNode node, String what) {
    List<String> changes = new ArrayList<>();
    for (YamlNode.Pair pair : YamlMap.open(node, what, problems).pairs()) {
      List<YamlNode> values =
          pair.value() instanceof YamlNode.Items items ? items.nodes() : List.of(pair.value());
      List<String> texts = new ArrayList<>();
      for (YamlNode value : values) {
        YamlMap.scalar("'" + pair.key().text() + "'", value, problems)
            .ifPresent(scalar -> texts.add(scalar.text()));
      }
      if (!texts.isEmpty()) {
        changes.add(pair.key().text() + "=" + String.join(",", texts));
      }
    }
    return changes;
  }

  private List<String> sentences(YamlNode node) {
    List<String> sentences = new ArrayList<>();
    if (node instanceof YamlNode.Items items) {
      for (YamlNode item : items.nodes()) {
        YamlMap.scalar("a sentence", item, problems).ifPresent(s -> sentences.add(s.text()));
      }
    } else {
      problems.add(node.at(), "'only' must be a list of sentences; write [\"…\"].");
    }
    return sentences;
  }

  /** The same experiment; reports where it is not valid in one of its variants. */
  Experiment checked(Experiment experiment, Catalogue catalogue) {
    if (!experiment.variants().quick().isEmpty()) {
      Overrides quick = new Overrides(true, Optional.empty(), Optional.empty(), List.of());
      check(experiment, QUICK, "with --quick, ", each -> quick.applyTo(each, catalogue));
    }
    if (!experiment.variants().full().isEmpty()) {
      check(experiment, FULL, "at full length ", each -> Overrides.atFullLength(each, catalogue));
    }
    return experiment;
  }

  private void check(
      Experiment experiment, String key, String prefix, UnaryOperator<Experiment> variant) {
    try {
      Experiment unused = variant.apply(experiment);
    } catch (ExperimentException invalid) {
      Position at = file.position(key).orElse(Position.START);
      invalid.problems().forEach(problem -> problems.add(at, prefix + problem.sentence()));
    }
  }
}
