package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import java.util.stream.Collectors;

class PropertiesIT extends PropertiesContract {
  private static final String PAGE = "properties.dataStorageConfiguration.pageSize";

  @Override
  protected GridDriver driver() {
    return new IgniteDriver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.of(
        PAGE,
        "8192",
        "properties.stripedPoolSize",
        "3",
        "properties.communicationSpi.connectionsPerNode",
        "2",
        "properties.cache.copyOnRead",
        "false");
  }

  @Override
  protected Map<String, String> found() {
    return given().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().toString()));
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of(PAGE, "5000");
  }

  @Override
  protected String refusal() {
    return "power of 2";
  }
}
