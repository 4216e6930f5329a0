package io.pyrometer.results;

import io.pyrometer.journal.TrialRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which treatments of a run share a start of processes in each block while others of the block have
 * another one: the whole plots of a split plot.
 *
 * @param parts treatments that share starts, directly or by way of others; empty where all
 *     treatments of a block share their processes, where every trial has its own, and in a single
 *     block, which cannot separate a start from its treatments
 */
public record ProcessStarts(List<Set<Map<String, String>>> parts) {
  /** Starts of trials that share none, or all of a block. */
  public static final ProcessStarts NONE = new ProcessStarts(List.of());

  /** Starts of one attempt of each trial of a run. */
  public static ProcessStarts of(List<TrialRecord> trials) {
    return hasBlocks(trials) ? ofAnyBlocks(trials) : NONE;
  }

  private static boolean hasBlocks(List<TrialRecord> trials) {
    return trials.stream().mapToInt(TrialRecord::block).distinct().count() > 1;
  }

  /** The factors whose levels differ only between starts that were made once, in a single block. */
  public static List<String> confounded(List<TrialRecord> trials, List<String> factors) {
    List<Set<Map<String, String>>> parts =
        hasBlocks(trials) ? List.of() : ofAnyBlocks(trials).parts;
    return factors.stream()
        .filter(
            factor ->
                !parts.isEmpty()
                    && parts.stream().allMatch(part -> levels(part, factor).count() == 1))
        .toList();
  }

  private static Stream<String> levels(Set<Map<String, String>> part, String factor) {
    return part.stream().map(levels -> String.valueOf(levels.get(factor))).distinct();
  }

  private static ProcessStarts ofAnyBlocks(List<TrialRecord> trials) {
    if (trials.stream().anyMatch(trial -> trial.identity().start().isEmpty())) {
      return NONE;
    }
    Map<Integer, Set<Map<String, String>>> together =
        trials.stream()
            .collect(
                Collectors.groupingBy(
                    trial -> trial.identity().start().orElseThrow().number(),
                    Collectors.mapping(TrialRecord::levels, Collectors.toSet())));
    List<Set<Map<String, String>>> parts = new ArrayList<>();
    for (Set<Map<String, String>> treatments : new HashSet<>(together.values())) {
      Set<Map<String, String>> joined = new HashSet<>(treatments);
      for (Set<Map<String, String>> part : List.copyOf(parts)) {
        if (part.stream().anyMatch(treatments::contains)) {
          joined.addAll(part);
          parts.remove(part);
        }
      }
      parts.add(joined);
    }
    boolean split = parts.size() > 1 && parts.stream().anyMatch(part -> part.size() > 1);
    return split ? new ProcessStarts(parts) : NONE;
  }

  /** Names the start of a treatment, the same in every block; empty if it is no part of any. */
  public String of(Map<String, String> levels) {
    return IntStream.range(0, parts.size())
        .filter(part -> parts.get(part).contains(levels))
        .mapToObj(part -> String.valueOf(part + 1))
        .findFirst()
        .orElse("");
  }
}
