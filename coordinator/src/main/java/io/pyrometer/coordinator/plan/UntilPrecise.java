package io.pyrometer.coordinator.plan;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.Group;
import io.pyrometer.journal.Precision;
import io.pyrometer.journal.TrialRecord;
import java.util.List;
import java.util.Optional;

/**
 * Adds whole blocks until the estimates are precise enough ({@link Precision}), or the plan ends.
 */
final class UntilPrecise implements TrialSource {
  private final FixedPlan plan;
  private final StoppingRule rule;

  /**
   * @param groups of the largest number of blocks
   */
  UntilPrecise(List<Group> groups, StoppingRule rule) {
    this.plan = new FixedPlan(groups);
    this.rule = rule;
  }

  @Override
  public Optional<Group> next(List<TrialRecord> history) {
    Optional<Group> next = plan.next(history);
    boolean blockBegins =
        next.isPresent()
            && history.stream().noneMatch(trial -> trial.block() == next.get().block());
    return blockBegins && Precision.reached(rule, history) ? Optional.empty() : next;
  }
}
