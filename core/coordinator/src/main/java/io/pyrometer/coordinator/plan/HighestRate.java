package io.pyrometer.coordinator.plan;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import java.util.List;
import java.util.Optional;

/** Of a plan's rates those that a {@link RateSearch} visits, one after the other. */
final class HighestRate implements TrialSource {
  private final List<Group> groups;

  HighestRate(List<Group> groups) {
    this.groups = List.copyOf(groups);
  }

  @Override
  public Optional<Group> next(List<TrialRecord> history) {
    return RateSearch.next(groups, history);
  }
}
