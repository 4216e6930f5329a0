package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.results.Phrases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Whether one path is the best under every condition: at every combination of the levels of the
 * factors that do not choose the path.
 */
final class PathChoice {
  private PathChoice() {}

  /**
   * @param rows of one ranking with the same guarantees, best first
   * @param openLoop whether the best has the lowest p99 rather than the highest throughput
   * @return empty where there are not several paths under several conditions
   */
  static Optional<Finding> of(List<Ranking.Row> rows, boolean openLoop) {
    return choosing(rows).flatMap(factor -> of(rows, factor, openLoop));
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

  private static Optional<Finding> of(List<Ranking.Row> rows, String factor, boolean openLoop) {
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
    byCondition.forEach((at, ways) -> winners.put(at, level(ways.get(0), factor)));
    return Optional.of(
        Finding.info(
            Kind.COMPARISON,
            sentence(winners, openLoop ? "had the lowest p99" : "was the fastest"),
            "Other levels of these factors, or more blocks where paths are close."));
  }

  private static Map<String, String> others(Ranking.Row row, String factor) {
    Map<String, String> levels = new LinkedHashMap<>(row.replicates().levels());
    levels.remove(factor);
    return levels;
  }

  private static String sentence(Map<Map<String, String>, String> winners, String best) {
    Map<String, Long> wins =
        winners.values().stream()
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    String most = wins.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    if (wins.size() == 1) {
      return "%s %s under all %d conditions.".formatted(most, best, winners.size());
    }
    List<String> elsewhere = new ArrayList<>();
    winners.forEach(
        (at, way) -> {
          if (!way.equals(most)) {
            elsewhere.add("%s at %s".formatted(way, Labels.of(at, "its level")));
          }
        });
    return "%s %s under %d of %d conditions; %s."
        .formatted(most, best, wins.get(most), winners.size(), Phrases.and(elsewhere));
  }
}
