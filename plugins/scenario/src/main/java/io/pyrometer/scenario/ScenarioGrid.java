package io.pyrometer.scenario;

import io.pyrometer.protocol.TrialSpec;

/** A driver's session that supports scenarios. */
public interface ScenarioGrid {

  /**
   * Opens the product's side of a scenario in a process of the service.
   *
   * @param creator whether to create what the scenario needs in the grid; exactly one process does,
   *     before all others
   * @throws io.pyrometer.driver.GridException with one sentence if that fails
   */
  ScenarioSession openScenario(TrialSpec trial, boolean creator);
}
