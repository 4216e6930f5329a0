package io.pyrometer.coordinator.plan;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TuningRun;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Says which trials a run makes next. A source is a pure function of the planned run and the
 * history: asked twice with one history it gives one answer, so that a run which was killed is
 * resumed by asking with what its journal holds.
 */
@FunctionalInterface
public interface TrialSource {

  /**
   * The next trials to make, or nothing where the run is complete.
   *
   * @return a group of trials that share fresh processes, at least one of which is not done
   */
  Optional<Group> next(List<TrialRecord> history);

  static TrialSource of(PlannedRun plan) {
    if (plan.searching()) {
      return history -> RateSearch.next(plan.groups(), history);
    }
    if (plan.tuning().isPresent()) {
      return TuningRun.of(plan)::next;
    }
    return fixed(plan.groups());
  }

  static TrialSource fixed(List<Group> groups) {
    return history ->
        groups.stream().filter(group -> !Attempts.due(group, history).isEmpty()).findFirst();
  }

  /**
   * Begins no block that would not end in time if it took as long as the longest so far. Unlike
   * other sources it depends on the clock; what it leaves can be resumed.
   *
   * @param least blocks that are begun however late it is
   * @param elapsed seconds since the run began
   */
  static TrialSource within(double seconds, int least, DoubleSupplier elapsed, TrialSource source) {
    return new TrialSource() {
      private int block = -1;
      private double begun;
      private double longest;

      @Override
      public Optional<Group> next(List<TrialRecord> history) {
        Optional<Group> next = source.next(history);
        double now = elapsed.getAsDouble();
        if (next.isEmpty() || next.get().block() == block) {
          begun = history.stream().anyMatch(trial -> trial.block() == block) ? begun : now;
          return next;
        }
        longest = Math.max(longest, block < 0 ? 0 : now - begun);
        if (now + longest > seconds && next.get().block() >= least) {
          return Optional.empty();
        }
        block = next.get().block();
        begun = now;
        return next;
      }
    };
  }
}
