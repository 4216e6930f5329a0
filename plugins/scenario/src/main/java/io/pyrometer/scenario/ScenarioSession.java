package io.pyrometer.scenario;

import java.util.Map;

/** The product's side of a scenario's trial in one process of the service. */
public interface ScenarioSession extends AutoCloseable {

  /** The cache's and cluster's configuration, read back from the running grid. */
  Map<String, String> configuration();

  /** Starts the service in this process. */
  Service start(ServiceContext context);

  /** Removes what the scenario created in the grid; called in one process only. */
  void destroy();

  @Override
  void close();
}
