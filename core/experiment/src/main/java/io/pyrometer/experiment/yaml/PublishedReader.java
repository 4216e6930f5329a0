package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Published;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads published figures; each must be of exactly one treatment. */
final class PublishedReader {
  private static final SettingDescription RATE =
      SettingDescription.numeric(
          "rate", SettingDescription.Type.DECIMAL, Scope.LOAD, 1.0, 0.001, 1e15, "");

  private final List<Treatment> treatments;
  private final Problems problems;

  PublishedReader(List<Treatment> treatments, Problems problems) {
    this.treatments = treatments;
    this.problems = problems;
  }

  /** Empty if there is a problem. */
  Optional<Published> read(YamlNode node) {
    YamlMap keyed = YamlMap.of(node, "'published'", List.of("source", "figures"), problems);
    Optional<YamlNode.Scalar> source = keyed.required("source", "where the figures stand");
    List<Published.Figure> figures =
        keyed
            .requiredNode("figures", "a list such as [{at: {path: put}, rate: 4726}]")
            .map(this::figures)
            .orElse(List.of());
    return source.map(scalar -> new Published(scalar.text(), figures));
  }

  private List<Published.Figure> figures(YamlNode node) {
    if (!(node instanceof YamlNode.Items items) || items.nodes().isEmpty()) {
      problems.add(
          node.at(),
          "'figures' must be a list of at least one; write [{at: {path: put}, rate: 4726}].");
      return List.of();
    }
    List<Published.Figure> figures = new ArrayList<>();
    Set<Map<String, String>> seen = new HashSet<>();
    for (YamlNode item : items.nodes()) {
      figure(item)
          .ifPresent(
              figure -> {
                if (!seen.add(figure.levels())) {
                  problems.add(
                      item.at(), "this treatment has a published figure already; remove one.");
                }
                figures.add(figure);
              });
    }
    return figures;
  }

  private Optional<Published.Figure> figure(YamlNode item) {
    YamlMap keyed = YamlMap.of(item, "a published figure", List.of("at", "rate", "why"), problems);
    Optional<Double> rate =
        keyed.required("rate", "records a second such as 4726").flatMap(this::rate);
    Optional<String> why = keyed.scalar("why").map(YamlNode.Scalar::text);
    Optional<Map<String, String>> levels =
        keyed
            .requiredNode("at", "levels such as {path: put}")
            .flatMap(at -> treatment(at, asked(at)));
    return rate.isPresent() && levels.isPresent()
        ? Optional.of(new Published.Figure(levels.get(), rate.get(), why))
        : Optional.empty();
  }

  private Optional<Double> rate(YamlNode.Scalar scalar) {
    Optional<Object> value = SettingText.parse(RATE, scalar.text());
    if (value.isEmpty()) {
      problems.add(scalar.at(), SettingText.sentence(RATE, scalar.text()));
    }
    return value.map(number -> ((Number) number).doubleValue());
  }

  private Map<String, String> asked(YamlNode at) {
    Map<String, String> asked = new LinkedHashMap<>();
    for (YamlNode.Pair pair : YamlMap.open(at, "'at'", problems).pairs()) {
      YamlMap.scalar("'" + pair.key().text() + "'", pair.value(), problems)
          .ifPresent(level -> asked.put(pair.key().text(), level.text()));
    }
    return asked;
  }

  /** The levels of the one treatment that has those asked for. */
  private Optional<Map<String, String>> treatment(YamlNode at, Map<String, String> asked) {
    List<Map<String, String>> found =
        treatments.stream()
            .map(Treatment::levels)
            .filter(levels -> levels.entrySet().containsAll(asked.entrySet()))
            .toList();
    if (found.size() == 1) {
      return Optional.of(found.get(0));
    }
    if (!treatments.isEmpty() && at instanceof YamlNode.Keys) {
      problems.add(
          at.at(),
          found.isEmpty()
              ? "no treatment has these levels; name those of one that 'pyrometer plan' shows."
              : "%d treatments have these levels; name that of %s too."
                  .formatted(found.size(), String.join(", ", differing(found))));
    }
    return Optional.empty();
  }

  private static Set<String> differing(List<Map<String, String>> found) {
    Set<String> differing = new TreeSet<>();
    for (Map<String, String> levels : found) {
      levels.forEach(
          (factor, level) -> {
            if (!level.equals(found.get(0).get(factor))) {
              differing.add(factor);
            }
          });
    }
    return differing;
  }
}
