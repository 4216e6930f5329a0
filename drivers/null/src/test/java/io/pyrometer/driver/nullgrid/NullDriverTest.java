package io.pyrometer.driver.nullgrid;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.PathDescription;

/** The grid in the agent's own process keeps the contract of all drivers. */
class NullDriverTest extends DriverContract {

  @Override
  protected GridDriver driver() {
    return new NullDriver();
  }

  /** Its calls never complete, which is what it is for. */
  @Override
  protected boolean checks(PathDescription path) {
    return !path.name().equals(NullDriver.STUCK);
  }
}
