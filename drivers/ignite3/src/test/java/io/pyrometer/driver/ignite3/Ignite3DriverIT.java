package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.PathDescription;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, on a real cluster. */
@Tag("extended")
class Ignite3DriverIT extends DriverContract {

  /** Half a minute alone; the experiment ignite-2-or-3 kills a server in every run. */
  Ignite3DriverIT() {
    super(
        new Ignite3Driver(),
        Map.of("partitions", 4L, "batch", 100L),
        whole() ? new Clause[0] : Clause.values());
  }

  @Override
  protected long serverHeap() {
    return 512L << 20;
  }

  /** One path that writes and one that reads, unless the whole contract is asked for. */
  @Override
  protected boolean checks(PathDescription path) {
    return whole() || Set.of("put", "get").contains(path.name());
  }
}
