package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Terms that hold with every product of an experiment, and products that are missing. */
class EqualTermsTest {
  private static final Catalogue CATALOGUE = Fixture.catalogue("equal-drivers.json");

  private static Experiment read(String grid, String equal) {
    return ExperimentReader.read(
        """
        pyrometer: 1
        name: test
        question: Which?
        grid: {nodes: 3%s}
        workload: {record: stock-order, records: 1000, path: put}
        equal: {%s}
        factors: {driver: [one, two]}
        """
            .formatted(grid, equal),
        "test.yaml",
        Path.of(""),
        CATALOGUE);
  }

  private static Settings settings(Experiment experiment, String driver) {
    return Planner.plan(experiment, CATALOGUE).trials().stream()
        .map(trial -> trial.settings())
        .filter(settings -> settings.text("driver").equals(driver))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachDriverMapsTheTermsToSettingsOfItsOwn() {
    Experiment equal = read("", "backups: 1, acknowledged-by: all, heap: 300m");
    assertThat(settings(equal, "one").values())
        .containsEntry("copies", 1L)
        .containsEntry("sync", "FULL")
        .containsEntry("node-heap", 300L << 20)
        .doesNotContainKey("replicas");
    assertThat(settings(equal, "two").values())
        .containsEntry("replicas", 1L)
        .containsEntry("node-heap", 300L << 20);
  }

  @Test
  void aTermThatADriverCannotMakeTrueIsRefusedByTheDriversName() {
    assertThatThrownBy(() -> read("", "durability: disk"))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("'durability: disk'");
  }

  @Test
  void aTermBeyondWhatADriversSettingTakesIsRefused() {
    assertThatThrownBy(() -> read("", "backups: 2"))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("'replicas'")
        .hasMessageNotContaining("'copies'");
  }

  @Test
  void aTermThatASettingContradictsIsRefused() {
    assertThatThrownBy(() -> read(", node-heap: 400m", "heap: 300m"))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("'node-heap'");
    assertThat(settings(read(", node-heap: 300m", "heap: 300m"), "one").number("node-heap"))
        .isEqualTo(300L << 20);
  }

  @Test
  void anExperimentGoesOnWithoutAProductThatIsMissing() {
    Experiment left =
        read("", "backups: 1").without(CoreSettings.DRIVER, "two", "There is no two here.");
    assertThat(left.drivers()).containsExactly("one");
    assertThat(left.variants().onlyFull())
        .singleElement()
        .asString()
        .contains("'two'", "There is no two here.");
    assertThatThrownBy(() -> left.without(CoreSettings.DRIVER, "one", "There is no one here."))
        .isInstanceOf(ExperimentException.class);
  }
}
