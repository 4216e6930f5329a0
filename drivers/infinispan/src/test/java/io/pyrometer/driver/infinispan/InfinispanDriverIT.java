package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.PathDescription;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, on a real cluster. */
@Tag("extended")
class InfinispanDriverIT extends DriverContract {

  /** The experiment grids and the tests of other drivers start grids again. */
  InfinispanDriverIT() {
    super(new InfinispanDriver(), Map.of("properties.cache.segments", "32"), Clause.RESTART);
  }

  /** Single records by an embedded member take the way of its batches. */
  @Override
  protected boolean checks(PathDescription path) {
    return !Set.of("embedded-put", "embedded-get").contains(path.name());
  }
}
