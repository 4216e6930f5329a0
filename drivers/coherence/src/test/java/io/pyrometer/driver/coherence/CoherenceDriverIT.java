package io.pyrometer.driver.coherence;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.DriverContract;

/** The driver keeps the contract of all drivers, on a real cluster. */
class CoherenceDriverIT extends DriverContract {

  @Override
  protected GridDriver driver() {
    return new CoherenceDriver();
  }

  /** The tests of other drivers start grids again. */
  @Override
  protected boolean checksRestart() {
    return false;
  }
}
