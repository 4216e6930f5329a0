package io.pyrometer.lab.experiment;

import io.pyrometer.lab.experiment.AnalysesCheck.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What an experiment says of itself. */
record Header(String name, String question, List<Asked> analyses) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

  static Header read(Keyed file, Catalogue catalogue, Problems problems) {
    file.required("pyrometer", "the version of the form, 1")
        .filter(version -> !version.text().equals("1"))
        .ifPresent(
            version ->
                problems.add(
                    version.at(),
                    "the form '" + version.text() + "' is unknown; write 'pyrometer: 1'."));
    Optional<YamlNode.Scalar> name = file.required("name", "one such as my-experiment");
    name.filter(scalar -> !NAME.matcher(scalar.text()).matches())
        .ifPresent(
            scalar ->
                problems.add(
                    scalar.at(),
                    "'"
                        + scalar.text()
                        + "' is no name for an experiment; use small letters,"
                        + " digits and hyphens."));
    Optional<YamlNode.Scalar> question =
        file.required("question", "what the experiment is to answer");
    List<Asked> analyses =
        file.node("analyses")
            .map(node -> analyses(node, catalogue, problems))
            .orElse(List.of(new Asked(Analysis.RANKING.word(), Position.START)));
    return new Header(
        name.map(YamlNode.Scalar::text).orElse(""),
        question.map(YamlNode.Scalar::text).orElse(""),
        analyses);
  }

  private static List<Asked> analyses(YamlNode node, Catalogue catalogue, Problems problems) {
    if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
      problems.add(node.at(), "'analyses' must be a list of at least one; write [ranking].");
      return List.of();
    }
    List<Asked> analyses = new ArrayList<>();
    for (YamlNode item : items.nodes()) {
      Optional<YamlNode.Scalar> name = Keyed.scalar("an analysis", item, problems);
      name.ifPresent(
          scalar -> {
            if (!catalogue.analyses().contains(scalar.text())) {
              problems.add(
                  scalar.at(),
                  "unknown analysis '"
                      + scalar.text()
                      + "'; "
                      + Nearest.hint(scalar.text(), catalogue.analyses()));
            } else if (analyses.stream().anyMatch(a -> a.word().equals(scalar.text()))) {
              problems.add(scalar.at(), "'" + scalar.text() + "' is asked for twice; remove one.");
            }
            analyses.add(new Asked(scalar.text(), scalar.at()));
          });
    }
    return List.copyOf(analyses);
  }
}
