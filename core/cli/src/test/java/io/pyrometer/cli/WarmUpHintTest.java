package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.PlannedRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WarmUpHintTest {
  private static final String C1 = "-XX:TieredStopAtLevel=1";

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
    Experiment experiment =
        ExperimentReader.read(text, "warm.yaml", Path.of(""), OneGrid.CATALOGUE);
    return WarmUpHint.of(
        PlannedRun.of(
            Planner.plan(experiment, OneGrid.CATALOGUE),
            OneGrid.CATALOGUE.drivers(),
            List.of(),
            List.of()),
        cpus);
  }

  @Test
  void moreJvmsThanCpusAndAShortWarmUpAreCold() {
    assertThat(of("", "6s", 2).orElseThrow())
        .startsWith("4 JVMs on 2 CPUs ")
        .contains("common warm-up takes 6 s at most", "common-warm-up=120s (up to about ");
  }

  @Test
  void enoughCpusOrTimeOrC1AloneNeedNoHint() {
    assertThat(of("", "6s", 4)).isEmpty();
    assertThat(of("", "2m", 2)).isEmpty();
    assertThat(of(", node-jvm-args: %s, agent-jvm-args: %s".formatted(C1, C1), "6s", 2)).isEmpty();
    assertThat(of(", node-jvm-args: " + C1, "6s", 2)).as("agents with C2").isPresent();
  }
}
