package io.pyrometer.coordinator.plan;

import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The attempts that a group still owes. */
public final class DueTrials {
  private DueTrials() {}

  /**
   * One attempt to make.
   *
   * @param attempt from 1
   */
  public record Attempt(TrialSpec spec, int attempt) {}

  /** First the trials that were never made, then those to be repeated. */
  public static List<Attempt> of(Group group, List<TrialRecord> history) {
    Set<String> made = new HashSet<>();
    history.forEach(trial -> made.add(trial.id()));
    List<Attempt> due = new ArrayList<>();
    for (TrialSpec spec : group.trials()) {
      if (!made.contains(spec.id())) {
        due.add(new Attempt(spec, 1));
      }
    }
    for (TrialSpec spec : group.trials()) {
      history.stream()
          .filter(trial -> trial.id().equals(spec.id()) && Attempts.repeatDue(trial, history))
          .findFirst()
          .ifPresent(trial -> due.add(new Attempt(spec, trial.attempt() + 1)));
    }
    return due;
  }
}
