package io.pyrometer.driver.nativetest;

import io.pyrometer.driver.testkit.DriverContract;
import java.util.Map;

/** The example driver keeps the contract of all drivers. */
class NativeTestDriverTest extends DriverContract {

  /** Each server has a part of the keys and nobody has a copy of it. */
  NativeTestDriverTest() {
    super(new NativeTestDriver(), Map.of("memory", 32L << 20), Clause.LOSS_OF_SERVER);
  }
}
