package io.pyrometer.chaos;

import io.pyrometer.protocol.TrialSpec;

/** A {@link io.pyrometer.driver.GridSession} whose product can be checked under faults. */
public interface ChaosGrid {

  /**
   * Creates the data set of a trial.
   *
   * @throws io.pyrometer.driver.GridException with one sentence if that fails
   */
  ChaosSession openChaos(TrialSpec trial);
}
