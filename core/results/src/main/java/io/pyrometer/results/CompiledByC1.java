package io.pyrometer.results;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.report.Finding;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** Trials whose JVMs compile with C1 alone: warm after seconds, and slower than with C2. */
public final class CompiledByC1 {
  private static final String LEVEL = "-XX:TieredStopAtLevel=";

  private CompiledByC1() {}

  /**
   * Returns whether servers or clients of a trial do; of several arguments of a JVM the last
   * counts.
   */
  public static boolean is(TrialRecord trial) {
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

  /** Returns whether any that counts of a run does. */
  public static boolean in(RunRecord run) {
    return run.counting().stream().anyMatch(CompiledByC1::is);
  }

  /** The limit that such trials have; empty if there are none. */
  public static Optional<Finding> finding(Collection<TrialRecord> trials) {
    return trials.stream().noneMatch(CompiledByC1::is)
        ? Optional.empty()
        : Optional.of(Finding.notice("validity.compiled-by-c1"));
  }
}
