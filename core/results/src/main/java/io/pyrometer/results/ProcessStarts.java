package io.pyrometer.results;

import io.pyrometer.analysis.blocks.Grouping;
import io.pyrometer.journal.TrialRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which treatments of a run share a start of processes in each block while others of the block have
 * another one: the whole plots of a split plot.
 *
 * @param parts treatments with one number share starts, directly or by way of others; empty where
 *     all treatments of a block share their processes, where every trial has its own, and in a
 *     single block, which cannot separate a start from its treatments
 */
public record ProcessStarts(Map<Map<String, String>, Integer> parts) {
  /** Starts of trials that share none, or all of a block. */
  public static final ProcessStarts NONE = new ProcessStarts(Map.of());

  /** Starts of one attempt of each trial of a run. */
  public static ProcessStarts of(List<TrialRecord> trials) {
    return hasBlocks(trials) ? ofAnyBlocks(trials) : NONE;
  }

  private static boolean hasBlocks(List<TrialRecord> trials) {
    return trials.stream().mapToInt(TrialRecord::block).distinct().count() > 1;
  }

  /** The factors whose levels differ only between starts that were made once, in a single block. */
  public static List<String> confounded(List<TrialRecord> trials, List<String> factors) {
    ProcessStarts starts = hasBlocks(trials) ? NONE : ofAnyBlocks(trials);
    return factors.stream().filter(factor -> starts.determine(factor)).toList();
  }

  private boolean determine(String factor) {
    long levels =
        parts.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey().get(factor))
            .distinct()
            .count();
    return levels > 0 && levels == parts.values().stream().distinct().count();
  }

  private static ProcessStarts ofAnyBlocks(List<TrialRecord> trials) {
    if (trials.stream().anyMatch(trial -> trial.identity().start().isEmpty())) {
      return NONE;
    }
    int[] part =
        Grouping.of("treatment", trials.stream().map(TrialRecord::levels).toList())
            .parts(
                Grouping.of(
                    "start",
                    trials.stream().map(t -> t.identity().start().orElseThrow().number()).toList()))
            .group();
    Map<Map<String, String>, Integer> parts = new HashMap<>();
    for (int i = 0; i < part.length; i++) {
      parts.put(trials.get(i).levels(), part[i]);
    }
    long distinct = parts.values().stream().distinct().count();
    return distinct > 1 && distinct < parts.size() ? new ProcessStarts(parts) : NONE;
  }

  /** Names the start of a treatment, the same in every block; empty if it is no part of any. */
  public String of(Map<String, String> levels) {
    return Optional.ofNullable(parts.get(levels)).map(part -> String.valueOf(part + 1)).orElse("");
  }
}
