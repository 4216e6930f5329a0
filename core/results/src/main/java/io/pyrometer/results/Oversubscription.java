package io.pyrometer.results;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import java.util.Collection;
import java.util.Optional;

/** Trials whose own processes needed more CPU than the machine has. */
public final class Oversubscription {
  private Oversubscription() {}

  /** Empty if no trial is oversubscribed, or none recorded the load of its machine. */
  public static Optional<Finding> of(Collection<TrialRecord> trials) {
    long marked = trials.stream().filter(TrialRecord::oversubscribed).count();
    return marked == 0
        ? Optional.empty()
        : Optional.of(
            Finding.notice("validity.oversubscribed")
                .with("marked", Value.count(marked))
                .with("trials", Value.count(trials.size())));
  }
}
