package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Options of a product stand in a file under the product's own names. */
class PropertiesTest {
  private static Experiment experiment(String driver, String grid, String factors) {
    return Fixture.of("driver: " + driver + ", " + grid, "path: put", factors);
  }

  private static Plan plan(Experiment experiment) {
    return Fixture.plan(experiment);
  }

  @Test
  void optionsReachTheProcessesAndThoseOfTheCacheItsTrials() {
    Plan plan = plan(experiment("rich", "properties: {store.pageSize: 8192, cache.copy: off}", ""));
    Settings process = plan.groups().get(0).settings();
    assertThat(process.properties()).containsOnlyKeys("store.pageSize");
    Settings trial = plan.trials().get(0).settings();
    assertThat(trial.properties()).containsEntry("store.pageSize", "8192");
    assertThat(trial.cacheProperties()).containsEntry("copy", "off");
  }

  @Test
  void anOptionIsAFactorAndIsSetByTheCommandLine() {
    Experiment varied =
        experiment("rich", "nodes: 1", "factors: {properties.store.pageSize: [4096, 8192]}");
    assertThat(plan(varied).trials())
        .extracting(trial -> trial.settings().properties().get("store.pageSize"))
        .contains("4096", "8192");
    Overrides set =
        new Overrides(
            false,
            Optional.of(1),
            Optional.empty(),
            List.of("properties.store.pageSize=1024", "properties.other=x"));
    assertThat(plan(set.applyTo(varied, Fixture.CATALOGUE)).trials())
        .singleElement()
        .satisfies(
            trial ->
                assertThat(trial.settings().properties())
                    .containsEntry("store.pageSize", "1024")
                    .containsEntry("other", "x"));
  }

  @Test
  void aDriverThatPassesNothingOnRefusesOptionsWithTheirLine() {
    assertThatThrownBy(() -> experiment("plain", "properties: {a: 1}", ""))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("4:");
  }
}
