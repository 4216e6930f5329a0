package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.scenario.ScenarioStep;
import io.pyrometer.scenario.Service;
import io.pyrometer.scenario.ServiceContext;
import io.pyrometer.scenario.SteppedService;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * A scenario on Ignite. A class of your own with a constructor without arguments is named in an
 * experiment file as {@code scenario: com.example.MyScenario} and put on {@code --classpath}.
 */
public interface IgniteScenario {

  /**
   * The cache that is made for each trial and removed after it.
   *
   * @param asked as the trial's settings ask for it: mode, atomicity, backups and so on
   */
  default CacheConfiguration<Object, Object> cache(CacheConfiguration<Object, Object> asked) {
    return asked;
  }

  /**
   * Prepares a trial, such as by filling its cache or making others; called in one process, before
   * any service is started.
   */
  default void prepare(Ignite ignite, String cacheName) {}

  /** Removes what {@link #prepare} made beside the cache; called in the same process. */
  default void remove(Ignite ignite, String cacheName) {}

  /**
   * The steps that the experiment's file may declare as {@code steps}, by name, in an order that
   * suits messages. A class whose service is more than a sequence of steps has none and overrides
   * {@link #start}.
   *
   * @param ignite a client of the grid
   * @param cacheName of the trial's cache
   */
  default Map<String, ScenarioStep> steps(Ignite ignite, String cacheName) {
    return Map.of();
  }

  /**
   * Starts the service in this process; by default one that takes the declared steps.
   *
   * @param ignite a client of the grid
   * @param cacheName of the trial's cache
   */
  default Service start(Ignite ignite, String cacheName, ServiceContext context) {
    return new SteppedService(context, steps(ignite, cacheName));
  }
}
