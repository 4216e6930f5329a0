package io.pyrometer.results.ranking;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.RunRecord;
import java.util.Optional;
import java.util.Set;

/** Promises of the treatments of a run, by declaration and after their probes. */
public final class Promises {
  private final RunRecord run;

  public Promises(RunRecord run) {
    this.run = run;
  }

  /** Guarantee that the path claims of its writes; empty for one that does not write. */
  Optional<Guarantee> claimed(TrialRecord trial) {
    return run.plan().driver(trial.settings()).guarantee(trial.settings());
  }

  TreatmentProbes probes(TrialRecord trial) {
    return TreatmentProbes.of(run, trial.levels(), claimed(trial));
  }

  /** By declaration. */
  Set<Requirement> declared(TrialRecord trial) {
    return Requirement.of(claimed(trial), data(trial), servers(trial));
  }

  private DataFacts data(TrialRecord trial) {
    return run.plan().driver(trial.settings()).data(trial.settings());
  }

  private static int servers(TrialRecord trial) {
    return Optional.ofNullable(trial.configuration().get(Answer.Prepared.SERVERS))
        .map(Integer::valueOf)
        .or(() -> trial.settings().find(CoreSettings.NODES))
        .orElse(0);
  }

  /** Returns whether too few servers store the data for all copies that are asked for. */
  boolean hasFewerCopies(TrialRecord trial) {
    int servers = servers(trial);
    return servers > 0 && data(trial).copiesOn(servers) < data(trial).copies();
  }

  /**
   * Returns whether the treatment of a trial is not to be recommended: it lacks what the experiment
   * requires, or a probe refuted what it claims.
   */
  public boolean isExcluded(TrialRecord trial) {
    TreatmentProbes probes = probes(trial);
    return !probes.left(declared(trial)).containsAll(run.plan().experiment().require())
        || claimed(trial).filter(claim -> !probes.refutedBy(claim).isEmpty()).isPresent();
  }
}
