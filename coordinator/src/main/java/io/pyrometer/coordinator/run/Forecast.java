package io.pyrometer.coordinator.run;

import io.pyrometer.experiment.Group;
import io.pyrometer.experiment.Plan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialResult;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** How long the rest of a run takes: the plan's guess, corrected by the trials that were made. */
final class Forecast {
  private double made;
  private double guessed;

  void learn(TrialSpec trial, TrialResult result) {
    TrialResult.Phases p = result.phases();
    made += p.setUp() + p.warmUp() + p.measure() + p.verify() + p.tearDown();
    guessed += Plan.estimatedSeconds(trial);
  }

  /** Seconds left for the trials that are not done; groups behind the running one start anew. */
  double left(PlannedRun plan, List<TrialResult> finished, int runningGroup) {
    Set<String> done = finished.stream().map(TrialResult::trial).collect(Collectors.toSet());
    double factor = guessed > 0 ? made / guessed : 1;
    double left = 0;
    for (int i = 0; i < plan.groups().size(); i++) {
      Group group = plan.groups().get(i);
      List<TrialSpec> open = group.trials().stream().filter(t -> !done.contains(t.id())).toList();
      double trials = open.stream().mapToDouble(Plan::estimatedSeconds).sum();
      left += factor * trials;
      if (!open.isEmpty() && i > runningGroup) {
        left += Plan.estimatedSeconds(group) - sum(group);
      }
    }
    return left;
  }

  private static double sum(Group group) {
    return group.trials().stream().mapToDouble(Plan::estimatedSeconds).sum();
  }
}
