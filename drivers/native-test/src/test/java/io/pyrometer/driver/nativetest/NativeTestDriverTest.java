package io.pyrometer.driver.nativetest;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.Settings;
import java.util.Map;

/** The example driver keeps the contract of all drivers. */
class NativeTestDriverTest extends DriverContract {

  @Override
  protected GridDriver driver() {
    return new NativeTestDriver();
  }

  @Override
  protected Settings settings() {
    return new Settings(Map.of("memory", 32L << 20));
  }

  /** Each server has a part of the keys and nobody has a copy of it. */
  @Override
  protected boolean survivesLossOfServer() {
    return false;
  }
}
