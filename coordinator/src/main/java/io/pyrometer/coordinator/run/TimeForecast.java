package io.pyrometer.coordinator.run;

import io.pyrometer.experiment.Group;
import io.pyrometer.experiment.Plan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How long the rest of a run takes: the plan's estimate, corrected by how long the starts and the
 * trials so far took, each apart.
 */
final class TimeForecast {
  private final Correction starts = new Correction();
  private final Correction trials = new Correction();

  private static final class Correction {
    private double took;
    private double estimated;

    void learn(double seconds, double estimate) {
      took += seconds;
      estimated += estimate;
    }

    double factor() {
      return estimated > 0 ? took / estimated : 1;
    }
  }

  /** Learns from a finished trial. */
  void learn(TrialSpec trial, TrialRecord result) {
    trials.learn(result.timeline().phases().total(), Plan.estimatedSeconds(trial));
  }

  /** Learns from the start and common warm-up of a group's processes. */
  void learnStart(Group group, double seconds) {
    starts.learn(seconds, startSeconds(group));
  }

  /** Seconds left for the trials that are not done; a group without one done has to start. */
  double left(PlannedRun plan, List<TrialRecord> finished) {
    Set<String> done = finished.stream().map(TrialRecord::id).collect(Collectors.toSet());
    double left = 0;
    for (Group group : plan.groups()) {
      List<TrialSpec> open = group.trials().stream().filter(t -> !done.contains(t.id())).toList();
      left += trials.factor() * open.stream().mapToDouble(Plan::estimatedSeconds).sum();
      if (open.size() == group.trials().size()) {
        left += starts.factor() * startSeconds(group);
      }
    }
    return left;
  }

  private static double startSeconds(Group group) {
    double trials = group.trials().stream().mapToDouble(Plan::estimatedSeconds).sum();
    return Plan.estimatedSeconds(group) - trials;
  }
}
