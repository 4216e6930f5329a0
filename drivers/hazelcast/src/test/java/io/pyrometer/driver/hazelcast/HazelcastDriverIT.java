package io.pyrometer.driver.hazelcast;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, on a real cluster. */
@Tag("extended")
class HazelcastDriverIT extends DriverContract {

  @Override
  protected GridDriver driver() {
    return new HazelcastDriver();
  }

  @Override
  protected Settings settings() {
    return new Settings(Map.of("partitions", 31L));
  }

  /** The experiment grids and the tests of other drivers start grids again. */
  @Override
  protected boolean checksRestart() {
    return false;
  }
}
