package io.pyrometer.driver.redis;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.DriverContract;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, if the machine has redis-server. */
@Tag("extended")
class RedisDriverIT extends DriverContract {

  @Override
  protected GridDriver driver() {
    return new RedisDriver();
  }

  /** The claim of durability is about writes that wait for the replica. */
  @Override
  protected Settings settings() {
    return new Settings(Map.of("acknowledged-by", "all", "memory", 64L << 20));
  }
}
