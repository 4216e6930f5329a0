package io.pyrometer.driver.nullgrid;

import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.PathDescription;
import java.util.Map;

/** The grid in the agent's own process keeps the contract of all drivers. */
class NullDriverTest extends DriverContract {
  NullDriverTest() {
    super(new NullDriver(), Map.of());
  }

  /** Its calls never complete, which is what it is for. */
  @Override
  protected boolean checks(PathDescription path) {
    return !path.name().equals("stuck");
  }
}
