package io.pyrometer.coordinator.trial;

import io.pyrometer.protocol.Job;

/**
 * Runs the trials of a kind that a plugin adds, found by {@link java.util.ServiceLoader}; see
 * {@link io.pyrometer.experiment.model.TrialKind}.
 */
public interface KindRunner extends TrialRunner {

  /** The job of the kind's trials. */
  Job job();
}
