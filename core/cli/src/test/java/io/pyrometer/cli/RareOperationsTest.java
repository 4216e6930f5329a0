package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RareOperationsTest {
  private static Optional<String> of(String workload) {
    return of(workload, 1);
  }

  private static Optional<String> of(String workload, int blocks) {
    return RareOperations.of(
        OneGrid.planned(
            OneGrid.experiment(
                ", nodes: 1",
                "record: stock-order, records: 1000, path: mixed, measure: 6s" + workload,
                "blocks: " + blocks)));
  }

  @Test
  void anOperationWithTooFewCallsIsNamedWithTheTimeThatGivesEnough() {
    assertThat(of(", rate: 500, reads: 80%"))
        .hasValueSatisfying(
            said -> assertThat(said).contains("600 ", "'write'", "(1000)", " 12s "));
    assertThat(of(", rate: 500, mix: {get: 70%, put: 20%, get-all: 10%}").orElseThrow())
        .contains("300 ", "'get-all'", " 24s ");
    assertThat(of(", rate: 2, reads: 99%").orElseThrow())
        .as("more than an hour")
        .doesNotContain("'measure'");
  }

  @Test
  void enoughCallsOrAnUnknownRateNeedNoWord() {
    assertThat(of(", rate: 1000, reads: 80%")).isEmpty();
    assertThat(of(", rate: 500, reads: 100%")).isEmpty();
    assertThat(of(", reads: 80%")).isEmpty();
    assertThat(of(", rate: 500, reads: 80%", 3)).as("blocks are merged").isEmpty();
  }
}
