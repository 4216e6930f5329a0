package io.pyrometer.driver.redis;

import io.pyrometer.driver.testkit.DriverContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The driver keeps the contract of all drivers, if the machine has redis-server. */
@Tag("extended")
class RedisDriverIT extends DriverContract {

  /** The claim of durability is about writes that wait for the replica. */
  RedisDriverIT() {
    super(new RedisDriver(), Map.of("acknowledged-by", "all", "memory", 64L << 20));
  }
}
