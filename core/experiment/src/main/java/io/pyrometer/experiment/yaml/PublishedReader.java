package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.design.Treatments.Treatment;
import io.pyrometer.experiment.model.Published;
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

  private PublishedReader() {}

  static Published read(YamlNode node, List<Treatment> treatments, Problems problems) {
    List<Published.Figure> figures = new ArrayList<>();
    Set<Map<String, String>> seen = new HashSet<>();
    for (YamlNode item : node.items("figures")) {
      Optional<YamlNode> at = item.value("at");
      Optional<Double> rate = item.textOf("rate").flatMap(PublishedReader::number);
      Optional<Map<String, String>> levels = at.flatMap(a -> treatment(a, treatments, problems));
      if (rate.isPresent() && levels.isPresent()) {
        if (!seen.add(levels.get())) {
          problems.add(item.at(), "this treatment has a published figure already; remove one.");
        }
        figures.add(new Published.Figure(levels.get(), rate.get(), item.textOf("why")));
      }
    }
    return new Published(node.textOf("source").orElse(""), figures);
  }

  private static Optional<Double> number(String text) {
    try {
      return Optional.of(Double.valueOf(text.replace("_", "")));
    } catch (NumberFormatException reported) {
      return Optional.empty();
    }
  }

  /** The levels of the one treatment that has those asked for. */
  private static Optional<Map<String, String>> treatment(
      YamlNode at, List<Treatment> treatments, Problems problems) {
    Map<String, String> asked = new LinkedHashMap<>();
    at.pairs()
        .forEach(
            pair -> at.textOf(pair.key().text()).ifPresent(l -> asked.put(pair.key().text(), l)));
    List<Map<String, String>> found =
        treatments.stream()
            .map(Treatment::levels)
            .filter(levels -> levels.entrySet().containsAll(asked.entrySet()))
            .toList();
    if (found.size() == 1) {
      return Optional.of(found.get(0));
    }
    if (found.isEmpty() && !treatments.isEmpty()) {
      problems.add(
          at.at(), "no treatment has these levels; name those of one that 'pyrometer plan' shows.");
    } else if (!found.isEmpty()) {
      Set<String> differing = new TreeSet<>();
      for (Map<String, String> levels : found) {
        levels.forEach(
            (factor, level) -> {
              if (!level.equals(found.get(0).get(factor))) {
                differing.add(factor);
              }
            });
      }
      String sentence = "%d treatments have these levels; name that of %s too.";
      problems.add(at.at(), sentence, found.size(), String.join(", ", differing));
    }
    return Optional.empty();
  }
}
