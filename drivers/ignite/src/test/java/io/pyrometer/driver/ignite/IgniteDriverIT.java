package io.pyrometer.driver.ignite;

import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.PathDescription;
import java.util.Map;
import java.util.Set;

/** The driver keeps the contract of all drivers; all of its paths are checked elsewhere. */
class IgniteDriverIT extends DriverContract {

  /** Other tests start this cluster often enough. */
  IgniteDriverIT() {
    super(new IgniteDriver(), Map.of("region", 64L << 20, "partitions", 16L), Clause.RESTART);
  }

  /** One of two has all records, as each has one backup. */
  @Override
  protected int servers() {
    return 2;
  }

  /** {@link PathsIT} checks every path. */
  @Override
  protected boolean checks(PathDescription path) {
    return Set.of("put-all", "get", "mixed").contains(path.name());
  }
}
