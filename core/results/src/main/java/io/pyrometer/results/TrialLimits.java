package io.pyrometer.results;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.report.Finding;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Limits of the figures of trials: their own processes needed more CPU than the machine has, or
 * their JVMs compile with C1 alone, which is warm after seconds, and slower than with C2.
 */
public final class TrialLimits {
  private TrialLimits() {}

  private static final String LEVEL = "-XX:TieredStopAtLevel=";

  /**
   * Returns whether C1 alone compiles the code of a trial's servers or clients; of several
   * arguments of a JVM the last counts.
   */
  public static boolean isCompiledByC1(TrialRecord trial) {
    Settings settings = trial.settings();
    boolean chosen =
        settings.find(CoreSettings.COMPILER).filter(CoreSettings.C1::equals).isPresent();
    return Stream.of(CoreSettings.NODE_JVM_ARGS, CoreSettings.AGENT_JVM_ARGS)
        .map(key -> settings.find(key).orElse(""))
        .anyMatch(
            arguments -> {
              int last = arguments.lastIndexOf(LEVEL);
              return last < 0 ? chosen : arguments.startsWith(LEVEL + "1", last);
            });
  }

  /** Returns whether C1 alone compiles the code of a trial of the run that counts. */
  public static boolean isCompiledByC1(RunRecord run) {
    return run.any(TrialLimits::isCompiledByC1);
  }

  /** The limit that such trials have; empty if there are none. */
  public static Optional<Finding> compiledByC1(Collection<TrialRecord> trials) {
    return trials.stream().noneMatch(TrialLimits::isCompiledByC1)
        ? Optional.empty()
        : Optional.of(Finding.notice("validity.compiled-by-c1"));
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
