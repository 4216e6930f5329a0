package io.pyrometer.results;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Finding;
import java.util.Collection;
import java.util.Optional;

/** Limits of the figures of trials: their own processes needed more CPU than the machine has. */
public final class TrialLimits {
  private TrialLimits() {}

  /** Empty if no trial is oversubscribed, or none recorded the load of its machine. */
  public static Optional<Finding> oversubscribed(Collection<TrialRecord> trials) {
    long marked = trials.stream().filter(TrialRecord::oversubscribed).count();
    return marked == 0
        ? Optional.empty()
        : Optional.of(
            Finding.notice("validity.oversubscribed")
                .with("marked", marked)
                .with("trials", trials.size()));
  }
}
