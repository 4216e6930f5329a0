package io.pyrometer.experiment;

import io.pyrometer.experiment.AnalysesCheck.Asked;
import io.pyrometer.protocol.ProbeKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What an experiment says of itself. */
record Header(String name, String question, List<Asked> analyses, List<ProbeKind> probes) {

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
    List<ProbeKind> probes =
        file.node("probes").map(node -> probes(node, problems)).orElse(List.of(ProbeKind.ORDER));
    return new Header(
        name.map(YamlNode.Scalar::text).orElse(""),
        question.map(YamlNode.Scalar::text).orElse(""),
        analyses,
        probes);
  }

  private static List<Asked> analyses(YamlNode node, Catalogue catalogue, Problems problems) {
    return new NamesReader("analysis", "analyses", problems)
        .read(node, catalogue.analyses()).stream()
            .map(name -> new Asked(name.text(), name.at()))
            .toList();
  }

  private static List<ProbeKind> probes(YamlNode node, Problems problems) {
    List<ProbeKind> all = List.of(ProbeKind.values());
    List<String> words = all.stream().map(Header::word).toList();
    return new NamesReader("probe", "probes", problems)
        .orNone().read(node, words).stream()
            .map(name -> words.indexOf(name.text()))
            .filter(index -> index >= 0)
            .map(all::get)
            .toList();
  }

  private static String word(ProbeKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
