package io.pyrometer.driver.ignite;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.path.CacheKind;
import io.pyrometer.driver.ignite.scenario.IgniteScenario;
import io.pyrometer.driver.ignite.scenario.IgniteScenarios;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.scenario.ScenarioSession;
import io.pyrometer.scenario.ScenarioSettings;
import io.pyrometer.scenario.Service;
import io.pyrometer.scenario.ServiceContext;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.Ignite;

/** A trial of a scenario in one process of its service, with a cache that all of them share. */
record IgniteScenarioTrial(ClientNode client, TrialSpec trial, IgniteScenario scenario)
    implements ScenarioSession {
  /**
   * @param made caches of this session, to which this one is added
   */
  static IgniteScenarioTrial open(
      ClientNode client, TrialSpec trial, boolean creator, Set<String> made) {
    IgniteScenario scenario = IgniteScenarios.of(trial);
    Settings settings = trial.settings();
    String name = trial.cacheName();
    Ignite ignite = client.ignite();
    TrialCache.create(
        name,
        () -> {
          if (creator) {
            ignite.destroyCache(name);
            ignite.createCache(
                scenario.cache(
                    TrialCache.configuration(name, settings, trial.record(), CacheKind.ANY)));
            made.add(name);
            scenario.prepare(ignite, name);
          } else {
            TrialCache.await(ignite, name);
          }
        });
    return new IgniteScenarioTrial(client, trial, scenario);
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts =
        GridConfiguration.of(client, client.ignite().cache(trial.cacheName()), trial.settings());
    GridConfiguration.requireAsAsked(trial.settings(), facts, client, true);
    return facts;
  }

  @Override
  public Service start(ServiceContext context) {
    boolean declared = trial.settings().find(ScenarioSettings.STEPS).isPresent();
    if (declared && scenario.steps(client.ignite(), trial.cacheName()).isEmpty()) {
      throw GridException.of(
          "Class %s offers no steps, so 'steps' has no effect; remove it.",
          scenario.getClass().getName());
    }
    return scenario.start(client.ignite(), trial.cacheName(), context);
  }

  @Override
  public void destroy() {
    scenario.remove(client.ignite(), trial.cacheName());
    client.ignite().destroyCache(trial.cacheName());
  }

  @Override
  public void close() {}
}
