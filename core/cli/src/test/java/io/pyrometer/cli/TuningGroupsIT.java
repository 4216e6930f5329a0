package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.KeptGuarantees;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.experiment.model.Tuning.Goal;
import io.pyrometer.experiment.model.Tuning.Knob;
import io.pyrometer.experiment.plan.TuningPlan;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Tunable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code tune} takes the groups of settings that drivers declare. */
class TuningGroupsIT {
  private static final Catalogue CATALOGUE = Home.catalogue();

  /** Every group of the drivers whose servers Pyrometer starts, and what of it has levels. */
  static Stream<Arguments> groups() {
    List<Arguments> all = new ArrayList<>();
    for (DriverDescription driver : Home.distribution().drivers()) {
      if (driver.startsServers()) {
        Map<String, List<String>> groups = new TreeMap<>();
        for (SettingDescription setting : driver.settings()) {
          setting.traits().tunable().ifPresent(how -> note(groups, setting, how));
        }
        groups.forEach((group, names) -> all.add(Arguments.of(driver, group, names)));
      }
    }
    return all.stream();
  }

  /** One that needs another setting may have no effect in the experiment of the test. */
  private static void note(
      Map<String, List<String>> groups, SettingDescription setting, Tunable how) {
    List<String> names = groups.computeIfAbsent(how.group(), group -> new ArrayList<>());
    if (!how.levels().isEmpty() && setting.traits().needs().isEmpty()) {
      names.add(setting.name());
    }
  }

  @ParameterizedTest
  @MethodSource("groups")
  void theSettingsOfAGroupAreTuned(DriverDescription driver, String group, List<String> names) {
    // A name of both would mean the setting.
    assertThat(new DriverVocabulary(driver).setting(group)).isEmpty();
    PathDescription path =
        driver.paths().stream().filter(each -> each.job() == Job.WRITE).findFirst().orElseThrow();
    Experiment experiment =
        ExperimentReader.read(
            """
            pyrometer: 1
            name: test
            question: Which?
            grid: {driver: %s}
            workload: {record: stock-order, records: 1000, path: %s}
            tune: {settings: [%s]}
            """
                .formatted(driver.name(), path.name(), group),
            "test.yaml",
            Path.of(""),
            CATALOGUE);
    if (!names.isEmpty()) {
      Tuning tuning =
          TuningPlan.of(
                  experiment,
                  Goal.parse("throughput").orElseThrow(),
                  3_600,
                  KeptGuarantees.ALL,
                  CATALOGUE)
              .tuning()
              .orElseThrow();
      assertThat(tuning.knobs()).extracting(Knob::setting).containsAll(names);
      assertThat(tuning.knobs())
          .filteredOn(Knob::ordered)
          .allSatisfy(
              knob ->
                  assertThat(knob.levels())
                      .extracting(Level::label)
                      .allMatch(label -> label.matches("[0-9.]+[a-z]*")));
    }
  }

  @Test
  void everyDriverWithServersHasGroups() {
    assertThat(groups().map(each -> ((DriverDescription) each.get()[0]).name()))
        .contains("coherence", "hazelcast", "ignite", "ignite3", "infinispan", "redis");
  }
}
