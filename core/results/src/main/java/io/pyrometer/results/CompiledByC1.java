package io.pyrometer.results;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** Trials whose JVMs compile with C1 alone: warm after seconds, and slower than with C2. */
public final class CompiledByC1 {
  private CompiledByC1() {}

  /** Whether servers or clients of a trial do. */
  public static boolean is(TrialRecord trial) {
    return Stream.of(CoreSettings.NODE_JVM_ARGS, CoreSettings.AGENT_JVM_ARGS)
        .flatMap(key -> trial.settings().find(key).stream())
        .anyMatch(arguments -> arguments.contains(CoreSettings.C1_ALONE));
  }

  /** That the code of a long-running cluster is faster; empty if none of the trials does. */
  public static Optional<Finding> finding(Collection<TrialRecord> trials) {
    return trials.stream().noneMatch(CompiledByC1::is)
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Kind.DISTURBED,
                "JVMs compiled with C1 alone (%s), so that the code was warm after seconds: compare treatments; a long-running cluster has code optimized by C2, which is up to about twice as fast."
                    .formatted(CoreSettings.C1_ALONE),
                "A run without this argument and with a longer common warm-up."));
  }
}
