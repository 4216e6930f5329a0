package io.pyrometer.driver.ignite.scenario;

import io.pyrometer.driver.scenario.Service;
import io.pyrometer.driver.scenario.ServiceContext;
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
   * Starts the service in this process.
   *
   * @param ignite a client of the grid
   * @param cacheName of the trial's cache
   */
  Service start(Ignite ignite, String cacheName, ServiceContext context);
}
