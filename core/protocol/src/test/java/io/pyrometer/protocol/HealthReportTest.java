package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthReportTest {
  private static HealthReport report(List<String> healthy, Map<String, String> notMade) {
    return new HealthReport("a run", 0, 0, List.of(), List.of(), healthy, notMade);
  }

  @Test
  void aCheckThatAnotherReportMadeIsNotSaidToBeMissing() {
    HealthReport grid =
        report(List.of("heap"), Map.of("marshalling", "no profile", "small-writes", "no count"));
    HealthReport trials = report(List.of("marshalling"), Map.of("skipped-keys", "no count"));
    assertThat(grid.besides(List.of(trials)).notMade()).containsOnlyKeys("small-writes");
    assertThat(grid.besides(List.of()).notMade()).hasSize(2);
  }
}
