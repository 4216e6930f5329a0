package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.PlannedRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RareOperationsTest {
  private static Optional<String> of(String workload) {
    String text =
        """
        pyrometer: 1
        name: rare
        question: How fast?
        grid: {driver: some, nodes: 1}
        workload: {record: stock-order, records: 1000, path: mixed, measure: 6s%s}
        """
            .formatted(workload);
    return RareOperations.of(
        PlannedRun.of(
            Planner.plan(
                ExperimentReader.read(text, "rare.yaml", Path.of(""), OneGrid.CATALOGUE),
                OneGrid.CATALOGUE),
            OneGrid.CATALOGUE.drivers(),
            List.of(),
            List.of()));
  }

  @Test
  void anOperationWithTooFewCallsIsNamedWithTheTimeThatGivesEnough() {
    assertThat(of(", rate: 500, reads: 80%"))
        .hasValue(
            "About 600 calls of a trial will be writes, which is too few for a p99 of their own (1000): --set measure=12s gives enough.");
    assertThat(of(", rate: 500, mix: {get: 70%, put: 20%, get-all: 10%}").orElseThrow())
        .startsWith("About 300 calls of a trial will be get-all, ")
        .contains("measure=24s");
  }

  @Test
  void enoughCallsOrAnUnknownRateNeedNoWord() {
    assertThat(of(", rate: 1000, reads: 80%")).isEmpty();
    assertThat(of(", rate: 500, reads: 100%")).isEmpty();
    assertThat(of(", reads: 80%")).isEmpty();
  }
}
