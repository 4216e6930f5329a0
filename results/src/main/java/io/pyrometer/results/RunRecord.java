package io.pyrometer.results;

import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeResult;
import java.util.List;

/**
 * A run as its folder tells it.
 *
 * @param finished every trial in the order made, repeated ones too
 * @param probes the guarantee probes in the order made
 */
public record RunRecord(
    RunFolder folder,
    PlannedRun plan,
    Environment environment,
    List<TrialRecord> finished,
    List<ProbeResult> probes) {

  public RunRecord {
    finished = List.copyOf(finished);
    probes = List.copyOf(probes);
  }

  /**
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

  /** One attempt of each trial, in the plan's order. */
  public List<TrialRecord> counting() {
    return Attempts.counting(finished);
  }

  public boolean whole() {
    return counting().size() == plan.trials().size();
  }

  public int blocksSeen() {
    return (int) finished.stream().map(TrialRecord::block).distinct().count();
  }
}
