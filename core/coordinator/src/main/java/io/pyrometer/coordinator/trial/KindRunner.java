package io.pyrometer.coordinator.trial;

import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.message.Messages;
import java.util.ServiceLoader;

/**
 * Runs the trials of a kind that a plugin adds, found by {@link java.util.ServiceLoader}; see
 * {@link io.pyrometer.experiment.model.TrialKind}.
 */
public interface KindRunner extends TrialRunner {

  Job job();

  /**
   * The runner of such trials, of a plugin or of load.
   *
   * @throws IllegalStateException if there is none
   */
  static TrialRunner of(Job job) {
    return job.isLoad()
        ? new LoadTrial.Runner()
        : ServiceLoader.load(KindRunner.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(kind -> kind.job().equals(job))
            .findFirst()
            .orElseThrow(
                () -> new IllegalStateException(Messages.format("coordinator.unknown-kind", job)));
  }
}
