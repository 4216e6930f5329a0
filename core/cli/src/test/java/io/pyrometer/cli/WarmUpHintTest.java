package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ServerDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WarmUpHintTest {
  private static final String C1 = "-XX:TieredStopAtLevel=1";

  private static final Catalogue CATALOGUE =
      Catalogue.of(
          List.of(
              new DriverDescription(
                  "some",
                  "Some",
                  "1",
                  "A grid.",
                  List.of("nodes"),
                  ServerDescription.NO_PORTS,
                  List.of(),
                  List.of(),
                  List.of(
                      PathDescription.write("put", Guarantee.OF_ONE, "Writes.").asPlainest()))));

  private static Optional<String> of(String grid, String warmUp, int cpus) {
    String text =
        """
        pyrometer: 1
        name: warm
        question: How fast?
        grid: {driver: some, nodes: 3%s}
        workload: {record: stock-order, records: 1000, path: put, common-warm-up: %s}
        """
            .formatted(grid, warmUp);
    Experiment experiment = ExperimentReader.read(text, "warm.yaml", Path.of(""), CATALOGUE);
    return WarmUpHint.of(
        PlannedRun.of(
            Planner.plan(experiment, CATALOGUE), CATALOGUE.drivers(), List.of(), List.of()),
        cpus);
  }

  @Test
  void moreJvmsThanCpusAndAShortWarmUpAreCold() {
    assertThat(of("", "6s", 2).orElseThrow())
        .startsWith("4 JVMs on 2 CPUs ")
        .contains("common warm-up ends after 6 s", "'common-warm-up: 120s'");
  }

  @Test
  void enoughCpusOrTimeOrC1AloneNeedNoHint() {
    assertThat(of("", "6s", 4)).isEmpty();
    assertThat(of("", "2m", 2)).isEmpty();
    assertThat(of(", node-jvm-args: %s, agent-jvm-args: %s".formatted(C1, C1), "6s", 2)).isEmpty();
    assertThat(of(", node-jvm-args: " + C1, "6s", 2)).as("agents with C2").isPresent();
  }
}
