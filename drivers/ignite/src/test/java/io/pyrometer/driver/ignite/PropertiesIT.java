package io.pyrometer.driver.ignite;

import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;

class PropertiesIT extends PropertiesContract {
  private static final String PAGE = "properties.dataStorageConfiguration.pageSize";
  private static final Map<String, String> OPTIONS =
      Map.of(
          PAGE,
          "8192",
          "properties.stripedPoolSize",
          "3",
          "properties.communicationSpi.connectionsPerNode",
          "2",
          "properties.cache.copyOnRead",
          "false");

  PropertiesIT() {
    super(new IgniteDriver(), Map.copyOf(OPTIONS), OPTIONS, Map.of(PAGE, "5000"), "power of 2");
  }
}
