package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.TrialSpec;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Turns one treatment into a {@link TrialRecord} on processes that are up: sets it up, warms it up,
 * measures, verifies and tears it down. Each kind of trial has one implementation.
 */
public interface TrialRunner {

  /**
   * Request for one attempt at a trial.
   *
   * @param attempt from 1
   * @param folder of the run, where artefacts go
   * @param ceiling records per second that the load generator alone reaches, where it was measured
   * @param servers that the grid must have, before and after the trial; empty for any number
   * @param machine reads what the machine has done so far
   * @param clusterUsedAgain whether, after this record, the cluster is used again, so that the
   *     trial has to leave it as it found it
   * @param phaseAndRate told about ten times a second what is being done, and records per second
   */
  record Request(
      Cluster cluster,
      TrialSpec spec,
      int attempt,
      RunFolder folder,
      OptionalDouble ceiling,
      Optional<Integer> servers,
      Time time,
      Supplier<MachineReading> machine,
      Predicate<TrialRecord> clusterUsedAgain,
      BiConsumer<String, Double> phaseAndRate) {}

  /**
   * Makes the trial. Whatever fails is said in the record; artefacts are in the folder when it
   * returns.
   *
   * @throws io.pyrometer.journal.RunException if the folder cannot be written
   */
  TrialRecord run(Request request);

  /**
   * Loads processes that are up for so long without counting anything.
   *
   * @return the share of a process's CPU time that its JIT compilers used meanwhile, of the process
   *     with the largest
   */
  double warmUp(Request request, double seconds);

  /** Equal for trials that run the same code, so that it is enough to warm up one of them. */
  default Object code(TrialSpec trial) {
    return trial.path();
  }

  /** Trial to warm up, of two that run the same code. */
  default TrialSpec lighter(TrialSpec one, TrialSpec other) {
    return one;
  }
}
