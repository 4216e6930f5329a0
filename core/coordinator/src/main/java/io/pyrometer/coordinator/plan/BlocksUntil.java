package io.pyrometer.coordinator.plan;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.TrialRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Adds whole blocks until what they show is enough, or the plan ends. */
final class BlocksUntil implements TrialSource {
  private final FixedPlan plan;
  private final Predicate<List<TrialRecord>> enough;

  /**
   * @param groups of the largest number of blocks
   * @param enough judges the history after each whole block
   */
  BlocksUntil(List<Group> groups, Predicate<List<TrialRecord>> enough) {
    this.plan = new FixedPlan(groups);
    this.enough = enough;
  }

  @Override
  public Optional<Group> next(List<TrialRecord> history) {
    Optional<Group> next = plan.next(history);
    boolean blockBegins =
        next.isPresent()
            && history.stream().noneMatch(trial -> trial.block() == next.get().block());
    return blockBegins && enough.test(history) ? Optional.empty() : next;
  }
}
