package io.pyrometer.driver.coherence;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, on a real cluster. */
@Tag("extended")
class CoherenceDriverIT extends DriverContract {

  @Override
  protected GridDriver driver() {
    return new CoherenceDriver();
  }

  @Override
  protected Settings settings() {
    return new Settings(Map.of("partitions", 31L));
  }

  /** A put that returns the old value takes the way of others; a get that of mixed. */
  @Override
  protected boolean checks(PathDescription path) {
    return whole() || !Set.of("put", "get").contains(path.name());
  }

  /** The tests of other drivers start grids again. */
  @Override
  protected boolean checksRestart() {
    return false;
  }
}
