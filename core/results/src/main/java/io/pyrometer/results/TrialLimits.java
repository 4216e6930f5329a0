package io.pyrometer.results;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Finding;
import java.util.Collection;
import java.util.Optional;

/**
 * Limits of the figures of trials: their own processes needed more CPU than the machine has, or
 * their JVMs compile with C1 alone, which is warm after seconds, and slower than with C2.
 */
public final class TrialLimits {
  private TrialLimits() {}

  /** Returns whether C1 alone compiles the code of a trial of the run that counts. */
  public static boolean isCompiledByC1(RunRecord run) {
    return run.any(
        t -> t.settings().find(CoreSettings.COMPILER).filter(CoreSettings.C1::equals).isPresent());
  }

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
