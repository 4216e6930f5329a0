package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Experiment.Variants;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what {@code --quick} and {@code --full} change in an experiment. */
final class VariantsReader {

  private VariantsReader() {}

  static Variants read(YamlNode file) {
    Optional<YamlNode> full = file.value("full");
    return new Variants(
        changes(file.value("quick")),
        changes(full.flatMap(node -> node.value("set"))),
        texts(full.flatMap(node -> node.value("only"))).toList());
  }

  /** Each change as the command line would write it: {@code name=value,…}. */
  private static List<String> changes(Optional<YamlNode> settings) {
    return settings.map(YamlNode::pairs).orElse(List.of()).stream()
        .map(
            pair ->
                texts(Optional.of(pair.value()))
                    .collect(Collectors.joining(",", pair.key().text() + "=", "")))
        .toList();
  }

  private static Stream<String> texts(Optional<YamlNode> node) {
    return node.stream()
        .flatMap(each -> each instanceof Scalar ? Stream.of(each) : each.items().stream())
        .flatMap(each -> each.scalar().stream())
        .map(Scalar::text);
  }

  /** Reports where an experiment is not valid in one of its variants. */
  static void check(Experiment experiment, YamlNode file, Catalogue catalogue, Problems problems) {
    if (!experiment.variants().quick().isEmpty()) {
      Overrides quick = new Overrides(true, Optional.empty(), Optional.empty(), List.of());
      check(
          experiment,
          file.position("quick"),
          "with --quick, ",
          problems,
          each -> quick.applyTo(each, catalogue));
    }
    if (!experiment.variants().full().isEmpty()) {
      check(
          experiment,
          file.position("full"),
          "at full length ",
          problems,
          each -> Overrides.atFullLength(each, catalogue));
    }
  }

  private static void check(
      Experiment experiment,
      Optional<Position> at,
      String prefix,
      Problems problems,
      UnaryOperator<Experiment> variant) {
    try {
      Experiment unused = variant.apply(experiment);
    } catch (ExperimentException invalid) {
      invalid
          .problems()
          .forEach(each -> problems.add(at.orElse(Position.START), prefix + each.sentence()));
    }
  }
}
