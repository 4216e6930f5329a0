package io.pyrometer.lab.run;

import io.pyrometer.lab.machine.Limits;
import io.pyrometer.protocol.TrialSpec;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;

/**
 * Warms fresh processes up over all the access paths that they will be measured with, in short
 * rounds that nobody records: a path's code is warm only once it ran, and the JVM's profile should
 * be that of all of them.
 */
final class CommonWarmUp {
  private static final double LONG_ENOUGH_FOR_TWO = 2;

  private CommonWarmUp() {}

  static void over(
      Cluster cluster, List<TrialSpec> trials, Clock clock, BiConsumer<String, Double> rate) {
    Map<String, TrialSpec> paths = new LinkedHashMap<>();
    trials.forEach(trial -> paths.putIfAbsent(trial.path(), trial));
    double seconds = trials.get(0).settings().decimal("common-warm-up");
    if (seconds <= 0) {
      return;
    }
    int rounds = seconds / paths.size() >= LONG_ENOUGH_FOR_TWO ? 2 : 1;
    double slot = seconds / paths.size() / rounds;
    for (int round = 0; round < rounds; round++) {
      for (TrialSpec trial : paths.values()) {
        TrialSpec warm = renamed(trial, "warm-up-" + round + "-" + trial.id());
        new TrialRun(
                cluster,
                warm,
                1,
                clock,
                Limits.USUAL,
                OptionalDouble.empty(),
                (phase, now) -> rate.accept("warm up " + trial.path(), now))
            .warmUpOnly(slot);
      }
    }
  }

  private static TrialSpec renamed(TrialSpec trial, String id) {
    return new TrialSpec(
        id,
        trial.ordinal(),
        trial.block(),
        trial.levels(),
        trial.job(),
        trial.settings(),
        trial.record(),
        ~trial.seed());
  }
}
