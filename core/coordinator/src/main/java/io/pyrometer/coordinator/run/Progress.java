package io.pyrometer.coordinator.run;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeResult;
import java.util.List;

/** Receives the progress of a run; called from one thread. */
public interface Progress {

  /**
   * State of a run now.
   *
   * @param done trials finished
   * @param total trials of the plan
   * @param trial number in the plan, from 1, of the trial that is made; 0 where none is
   * @param what the treatment, or the block that is started
   * @param secondsLeft of the whole run, as far as can be told
   */
  record Now(
      int done,
      int total,
      int trial,
      int block,
      String what,
      String phase,
      double recordsPerSecond,
      double secondsLeft) {}

  void now(Now now);

  /** Something the user should read even when the line has gone: one sentence. */
  void note(String sentence);

  void trial(TrialRecord result);

  void probe(ProbeResult result);

  /** All trials of a block are finished; {@code soFar} holds those of the blocks before it too. */
  void block(int block, List<TrialRecord> soFar);
}
