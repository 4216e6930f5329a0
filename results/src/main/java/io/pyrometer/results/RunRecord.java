package io.pyrometer.results;

import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.Precision;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeResult;
import java.util.List;

/** A run as its folder holds it. Immutable. */
public final class RunRecord {
  private final RunFolder folder;
  private final PlannedRun plan;
  private final Environment environment;
  private final List<TrialRecord> finished;
  private final List<TrialRecord> counting;
  private final List<ProbeResult> probes;

  /**
   * @param finished every attempt in the order made
   * @param probes the guarantee probes in the order made
   */
  public RunRecord(
      RunFolder folder,
      PlannedRun plan,
      Environment environment,
      List<TrialRecord> finished,
      List<ProbeResult> probes) {
    this.folder = folder;
    this.plan = plan;
    this.environment = environment;
    this.finished = List.copyOf(finished);
    this.counting = Attempts.counting(finished);
    this.probes = List.copyOf(probes);
  }

  /**
   * Reads a run's folder.
   *
   * @throws io.pyrometer.journal.RunException if it is no whole run's folder
   */
  public static RunRecord load(RunFolder folder) {
    return new RunRecord(
        folder,
        folder.plan(),
        folder.read("environment.json", Environment.class),
        folder.trials(),
        folder.probes());
  }

  public RunFolder folder() {
    return folder;
  }

  public PlannedRun plan() {
    return plan;
  }

  public Environment environment() {
    return environment;
  }

  /** Every attempt in the order made. */
  public List<TrialRecord> finished() {
    return finished;
  }

  /** The attempt at each trial that counts, in the plan's order. */
  public List<TrialRecord> counting() {
    return counting;
  }

  /** The guarantee probes in the order made. */
  public List<ProbeResult> probes() {
    return probes;
  }

  /** Whether nothing is left to measure: every trial is made, or the estimates are precise. */
  public boolean whole() {
    if (counting.size() == plan.trials().size()) {
      return true;
    }
    int blocks = blocksSeen();
    long begun = plan.trials().stream().filter(trial -> trial.block() < blocks).count();
    return counting.size() == begun
        && plan.stopping().filter(rule -> Precision.reached(rule, finished)).isPresent();
  }

  public int blocksSeen() {
    return (int) finished.stream().map(TrialRecord::block).distinct().count();
  }
}
