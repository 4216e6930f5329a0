package io.pyrometer.results.run;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.experiment.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whether one way is the fastest under every condition: at every combination of the levels of the
 * factors that do not choose the path.
 */
final class PathChoice {
  private PathChoice() {}

  /**
   * @param rows of one job that keep the same promises
   * @return empty where there are not several ways under several conditions
   */
  static Optional<Finding> of(List<Ranking.Row> rows) {
    return choosing(rows).flatMap(factor -> of(rows, factor));
  }

  /** The factor whose levels choose the path: each goes with one, and they do not all with one. */
  private static Optional<String> choosing(List<Ranking.Row> rows) {
    return rows.stream()
        .flatMap(row -> row.replicates().levels().keySet().stream())
        .distinct()
        .filter(factor -> chooses(factor, rows))
        .findFirst();
  }

  private static boolean chooses(String factor, List<Ranking.Row> rows) {
    Map<String, List<String>> paths =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> level(row, factor),
                    Collectors.mapping(Ranking.Row::path, Collectors.toList())));
    boolean oneEach = paths.values().stream().allMatch(p -> p.stream().distinct().count() == 1);
    return oneEach && rows.stream().map(Ranking.Row::path).distinct().count() > 1;
  }

  private static String level(Ranking.Row row, String factor) {
    return row.replicates().levels().getOrDefault(factor, "");
  }

  private static Optional<Finding> of(List<Ranking.Row> rows, String factor) {
    Map<Map<String, String>, List<Ranking.Row>> byCondition =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> others(row, factor), LinkedHashMap::new, Collectors.toList()));
    byCondition.values().removeIf(ways -> ways.size() < 2);
    if (byCondition.size() < 2) {
      return Optional.empty();
    }
    Map<Map<String, String>, String> winners = new LinkedHashMap<>();
    byCondition.forEach((at, ways) -> winners.put(at, level(fastest(ways), factor)));
    return Optional.of(
        new Finding(
            Kind.COMPARISON,
            Severity.INFO,
            sentence(winners),
            Map.of(),
            "Other levels of these factors, or intervals that part the ways that are close."));
  }

  private static Map<String, String> others(Ranking.Row row, String factor) {
    Map<String, String> levels = new LinkedHashMap<>(row.replicates().levels());
    levels.remove(factor);
    return levels;
  }

  private static Ranking.Row fastest(List<Ranking.Row> ways) {
    return ways.stream()
        .max(Comparator.comparingDouble(way -> way.throughput().value()))
        .orElseThrow();
  }

  private static String sentence(Map<Map<String, String>, String> winners) {
    Map<String, Long> wins =
        winners.values().stream()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    String most = wins.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    if (wins.size() == 1) {
      return "%s was the fastest under all %d conditions.".formatted(most, winners.size());
    }
    List<String> elsewhere = new ArrayList<>();
    winners.forEach(
        (at, way) -> {
          if (!way.equals(most)) {
            elsewhere.add("%s at %s".formatted(way, Labels.of(at, "its level")));
          }
        });
    return "%s was the fastest under %d of %d conditions; %s."
        .formatted(most, wins.get(most), winners.size(), Words.and(elsewhere));
  }
}
