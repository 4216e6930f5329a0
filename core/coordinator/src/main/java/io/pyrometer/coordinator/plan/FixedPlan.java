package io.pyrometer.coordinator.plan;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.TrialRecord;
import java.util.List;
import java.util.Optional;

/** Every group of a plan, in its order. */
final class FixedPlan implements TrialSource {
  private final List<Group> groups;

  FixedPlan(List<Group> groups) {
    this.groups = List.copyOf(groups);
  }

  @Override
  public Optional<Group> next(List<TrialRecord> history) {
    return groups.stream().filter(group -> !DueTrials.of(group, history).isEmpty()).findFirst();
  }
}
