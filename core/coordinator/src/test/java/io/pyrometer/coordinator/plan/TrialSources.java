package io.pyrometer.coordinator.plan;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Precision;
import java.util.List;

/** Sources of groups without a plan around them. */
final class TrialSources {
  private TrialSources() {}

  static TrialSource untilPrecise(List<Group> groups, StoppingRule rule) {
    return TrialSource.until(groups, history -> Precision.reached(rule, history));
  }
}
