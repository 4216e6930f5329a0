package io.pyrometer.driver.redis;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class RedisPropertiesIT extends PropertiesContract {
  @Override
  protected GridDriver driver() {
    return new RedisDriver();
  }

  @Override
  protected int servers() {
    return 2;
  }

  @Override
  protected Map<String, Object> given() {
    return Map.of("properties.hz", "50");
  }

  @Override
  protected Map<String, String> found() {
    return Map.of("properties.hz", "50");
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of("properties.hzz", "50");
  }

  @Override
  protected String refusal() {
    return "hzz";
  }
}
