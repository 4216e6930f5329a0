package io.pyrometer.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what {@code --quick} changes in an experiment besides its times and blocks. */
final class QuickReader {
  private static final String KEY = "quick";

  private QuickReader() {}

  /** Each change as the command line would write it: {@code name=value,…}. */
  static List<String> read(Keyed file, Problems problems) {
    List<String> changes = new ArrayList<>();
    file.node(KEY)
        .map(node -> Keyed.open(node, "'quick'", problems))
        .ifPresent(
            quick -> quick.pairs().forEach(pair -> change(pair, problems).ifPresent(changes::add)));
    return changes;
  }

  private static Optional<String> change(YamlNode.Pair pair, Problems problems) {
    String what = "'" + pair.key().text() + "'";
    List<YamlNode> values =
        pair.value() instanceof YamlNode.Items items ? items.nodes() : List.of(pair.value());
    List<String> texts = new ArrayList<>();
    for (YamlNode value : values) {
      Keyed.scalar(what, value, problems).ifPresent(scalar -> texts.add(scalar.text()));
    }
    return texts.isEmpty()
        ? Optional.empty()
        : Optional.of(pair.key().text() + "=" + String.join(",", texts));
  }

  /** The same experiment; says where it is not valid when it is made quick. */
  static Experiment checked(
      Experiment experiment, Keyed file, Catalogue catalogue, Problems problems) {
    if (!experiment.quick().isEmpty()) {
      try {
        Experiment unused =
            experiment.with(
                new Overrides(true, Optional.empty(), Optional.empty(), List.of()), catalogue);
      } catch (ExperimentException invalid) {
        Position at = file.position(KEY).orElse(new Position(0, 0));
        invalid.problems().forEach(p -> problems.add(at, "with --quick, " + p.sentence()));
      }
    }
    return experiment;
  }
}
