package io.pyrometer.driver.redis;

import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class RedisPropertiesIT extends PropertiesContract {
  RedisPropertiesIT() {
    super(
        new RedisDriver(),
        Map.of("properties.hz", "50"),
        Map.of("properties.hz", "50"),
        Map.of("properties.hzz", "50"),
        "hzz");
  }

  @Override
  protected int servers() {
    return 2;
  }
}
