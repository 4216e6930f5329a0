package io.pyrometer.experiment.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.KeptGuarantees;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.model.Tuning.Goal;
import io.pyrometer.experiment.model.Tuning.Knob;
import io.pyrometer.experiment.model.Tuning.Measure;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TuningPlanTest {
  private static final Goal THROUGHPUT = new Goal(Measure.THROUGHPUT, 0);

  private static Experiment experiment(String path, String tune) {
    return Fixture.withTail("factors: {path: " + path + "}\ntune: " + tune + "\n");
  }

  private static Plan plan(Experiment experiment, double seconds) {
    return TuningPlan.of(experiment, THROUGHPUT, seconds, KeptGuarantees.ALL, Fixture.CATALOGUE);
  }

  private static Tuning tuning(Experiment experiment, double seconds) {
    return plan(experiment, seconds).tuning().orElseThrow();
  }

  private static Tuning tuning(String tune) {
    return tuning(experiment("[put]", tune), 3_600);
  }

  private static Knob knob(Tuning tuning, String name) {
    return tuning.knobs().stream().filter(k -> k.setting().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void theListOfTheDriverIsTunedInItsOrderUnlessTheFileNamesSettings() {
    assertThat(tuning("{settings: [all]}").knobs())
        .extracting(Knob::setting)
        .containsExactly("node-heap", "properties.store.pages");
    assertThat(tuning("{settings: [all], levels: {region: [64m, 1g]}}").knobs())
        .extracting(Knob::setting)
        .containsExactly("region", "node-heap", "properties.store.pages");
    assertThat(tuning("{levels: {persistence: [on]}, settings: [all]}").knobs())
        .extracting(Knob::setting)
        .contains("properties.log.size");
  }

  @Test
  void anOptionThatIsNotGivenStandsAmongItsLevelsByTheProductsDefault() {
    Knob pages = knob(tuning("{settings: [all]}"), "properties.store.pages");
    assertThat(pages.levels()).extracting(Level::label).containsExactly("1", "4", "8");
    assertThat(pages.levels().get(1).settings()).isEqualTo(Settings.NONE);
    assertThat(pages.ordered()).isTrue();
    Knob unknown = knob(tuning("{levels: {properties.x.y: [1, 2]}}"), "properties.x.y");
    assertThat(unknown.levels()).extracting(Level::label).containsExactly("default", "1", "2");
    assertThat(unknown.ordered()).isFalse();
  }

  @Test
  void aSmallBudgetTakesTheMostImportantSettingsAndSaysWhatTheRestNeeds() {
    Experiment experiment =
        experiment("[put]", "{settings: [all], levels: {region: [64m, 256m, 1g]}}");
    double seconds = 60;
    Tuning few = tuning(experiment, 1e6);
    assertThat(few.omitted()).isEmpty();
    while (few.omitted().isEmpty()) {
      seconds *= 1.1;
      try {
        few = tuning(experiment, seconds);
      } catch (ExperimentException none) {
        assertThat(none).hasMessageContaining("'region'");
      }
    }
    assertThat(few.knobs()).extracting(Knob::setting).startsWith("region");
    assertThat(few.omitted().orElseThrow().settings()).endsWith("properties.store.pages");
    double all = few.omitted().orElseThrow().seconds();
    assertThat(all).isGreaterThan(seconds);
    assertThat(tuning(experiment, all + 1).omitted()).isEmpty();
  }

  @Test
  void levelsThatGiveUpAGuaranteeAreLeftOutUnlessAllowed() {
    String tune = "{levels: {backups: [0, 2], region: [64m]}}";
    Tuning kept = tuning(tune);
    assertThat(knob(kept, "backups").levels()).extracting(Level::label).containsExactly("1", "2");
    assertThat(kept.excluded()).singleElement().asString().contains("backups 0", "copies");
    Tuning allowed =
        TuningPlan.of(
                experiment("[put]", tune),
                THROUGHPUT,
                3_600,
                KeptGuarantees.ALL.without(Set.of("copies", "survives")),
                Fixture.CATALOGUE)
            .tuning()
            .orElseThrow();
    assertThat(knob(allowed, "backups").levels()).hasSize(3);
  }

  @Test
  void aConfigurationIsReadBackFromTheSettingsOfItsTrial() {
    Tuning tuning = tuning("{settings: [node-heap], levels: {region: [64m, 1g]}}");
    List<Integer> configuration =
        tuning.knobs().stream().map(knob -> knob.levels().size() - 1).toList();
    Settings trial =
        new Settings(Map.of("region", 512L << 20, "node-heap", 512L << 20))
            .with(tuning.settings(configuration));
    assertThat(tuning.configuration(trial)).isEqualTo(configuration);
    assertThat(tuning.label(configuration)).contains("region 1g", "node-heap 2g");
    List<Integer> initial = tuning.knobs().stream().map(Knob::initial).toList();
    assertThat(tuning.label(initial)).isEqualTo(Tuning.DEFAULT);
  }

  @Test
  void limitsBoundSums() {
    Tuning tuning = tuning("{levels: {region: [64m, 1g]}, limits: ['region + node-heap <= 1g']}");
    Settings heap = new Settings(Map.of("node-heap", 512L << 20));
    assertThat(tuning.limits().get(0).keptBy(heap.with("region", 512L << 20))).isTrue();
    assertThat(tuning.limits().get(0).keptBy(heap.with("region", 513L << 20))).isFalse();
  }

  @Test
  void oneTreatmentIsTuned() {
    Experiment several = experiment("[put, put-all]", "{settings: [node-heap]}");
    assertThatThrownBy(() -> plan(several, 600))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("--set path=put");
  }

  @Test
  void goalsAreReadAsTheyAreWritten() {
    assertThat(Goal.parse("p99@20k")).contains(new Goal(Measure.P99, 20_000));
    assertThat(Goal.parse("cpu")).contains(new Goal(Measure.CPU, 0));
    assertThat(Goal.parse("p99")).isEmpty();
  }
}
