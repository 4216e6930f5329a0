package io.pyrometer.experiment.plan;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The trials of one block that differ in the offered rate alone.
 *
 * @param levels that they share
 * @param rungs from the lowest rate to the highest
 */
public record RateLadder(Map<String, String> levels, List<TrialSpec> rungs) {

  /** The ladders of a group, in the order of their first trials. */
  public static List<RateLadder> of(Group group) {
    Map<Map<String, String>, List<TrialSpec>> byLevels = new LinkedHashMap<>();
    for (TrialSpec trial : group.trials()) {
      Map<String, String> others = new LinkedHashMap<>(trial.levels());
      others.remove(CoreSettings.RATE.name());
      ListsByKey.add(byLevels, others, trial);
    }
    List<RateLadder> ladders = new ArrayList<>();
    byLevels.forEach(
        (levels, trials) -> {
          trials.sort(Comparator.comparingDouble(trial -> trial.settings().get(CoreSettings.RATE)));
          ladders.add(new RateLadder(levels, trials));
        });
    return ladders;
  }
}
