package io.pyrometer.driver.coherence;

import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.PathDescription;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, on a real cluster. */
@Tag("extended")
class CoherenceDriverIT extends DriverContract {

  /** The tests of other drivers start grids again. */
  CoherenceDriverIT() {
    super(new CoherenceDriver(), Map.of("partitions", 31L), Clause.RESTART);
  }

  /** A put that returns the old value takes the way of others; a get that of mixed. */
  @Override
  protected boolean checks(PathDescription path) {
    return whole() || !Set.of("put", "get").contains(path.name());
  }
}
