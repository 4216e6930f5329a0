package io.pyrometer.driver.hazelcast;

import io.pyrometer.driver.testkit.DriverContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, on a real cluster. */
@Tag("extended")
class HazelcastDriverIT extends DriverContract {

  /** The experiment grids and the tests of other drivers start grids again. */
  HazelcastDriverIT() {
    super(new HazelcastDriver(), Map.of("partitions", 31L), Clause.RESTART);
  }
}
