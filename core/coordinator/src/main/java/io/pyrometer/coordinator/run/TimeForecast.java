package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.TrialSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * How long the rest of a run takes: the plan's estimate, corrected by how long the starts, trials,
 * repeats and probes so far took, each apart. Every second since {@link #begin} is counted to the
 * event that it led to, so that what lies between trials is in the forecast as well.
 */
final class TimeForecast {
  private final Time time;
  private final Correction starts = new Correction();
  private final Correction trials = new Correction();
  private final Correction probes = new Correction();

  /** Seconds of repeated attempts beside the estimate of the trials that were made so far. */
  private double repeats;

  private Optional<Group> up = Optional.empty();
  private long mark;

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

  TimeForecast(Time time) {
    this.time = time;
    this.mark = time.nanoTime();
  }

  /** Begins to measure; time that went by before now belongs to nothing that is forecast. */
  void begin() {
    double unused = elapsed();
  }

  private double elapsed() {
    long before = mark;
    mark = time.nanoTime();
    return (mark - before) / 1e9;
  }

  void learn(TrialSpec trial, TrialRecord result) {
    if (result.attempt() > 1) {
      repeats += elapsed();
    } else {
      trials.learn(elapsed(), Plan.estimatedSeconds(trial));
    }
  }

  /** Learns from the start and common warm-up of a group's processes, which have just ended. */
  void learnStart(Group group) {
    learnFailedStart(group);
    up = Optional.of(group);
  }

  /** Learns from a start of a group's processes that has just failed; it is still to be made. */
  void learnFailedStart(Group group) {
    starts.learn(elapsed(), startSeconds(group));
  }

  void learn(ProbeKind probe) {
    probes.learn(elapsed(), Plan.estimatedSeconds(probe));
  }

  /** Expected seconds of a group's start and common warm-up, at the pace of those so far. */
  double expected(Group group) {
    return startSeconds(group) * starts.factor();
  }

  double expected(TrialSpec trial) {
    return Plan.estimatedSeconds(trial) * trials.factor();
  }

  double expected(ProbeKind probe) {
    return Plan.estimatedSeconds(probe) * probes.factor();
  }

  /**
   * Seconds left for the trials that are not done; a group without one done has to start. What has
   * passed of the event under way is taken off, up to what was expected of it: an event that lasts
   * longer leaves the others as long as they were.
   *
   * @param underWay expected seconds of the event under way
   * @param repeating whether disturbed trials are still repeated; the share of repeats so far is
   *     then expected of the rest
   */
  DoubleSupplier left(
      PlannedRun plan,
      List<TrialRecord> finished,
      Collection<ProbeKind> probesLeft,
      double underWay,
      boolean repeating) {
    Set<String> done = finished.stream().map(TrialRecord::id).collect(Collectors.toSet());
    double left = probesLeft.stream().mapToDouble(this::expected).sum();
    double repeated = repeating && trials.estimated > 0 ? repeats / trials.estimated : 0;
    for (Group group : plan.groups()) {
      List<TrialSpec> open = group.trials().stream().filter(t -> !done.contains(t.id())).toList();
      for (TrialSpec trial : open) {
        left += expected(trial) + repeated * Plan.estimatedSeconds(trial);
      }
      if (open.size() == group.trials().size() && !up.equals(Optional.of(group))) {
        left += expected(group);
      }
    }
    double all = left;
    return () -> Math.max(0, all - Math.min(underWay, time.secondsSince(mark)));
  }

  private static double startSeconds(Group group) {
    double trials = group.trials().stream().mapToDouble(Plan::estimatedSeconds).sum();
    return Plan.estimatedSeconds(group) - trials;
  }
}
