package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static Diagnosis diagnosis(Severity severity, double share) {
    return new Diagnosis(
        severity + " " + share,
        severity,
        "It is slow.",
        Optional.empty(),
        share,
        List.of(),
        "",
        "",
        List.of(),
        Needs.NOTHING,
        Optional.empty(),
        Comparison.NONE,
        "");
  }

  @Test
  void whatIsMeasuredToBeLargeComesBeforeRisksThatAreNot() {
    List<Diagnosis> found = new ArrayList<>();
    for (double share : new double[] {0, 0.04, 0.3}) {
      for (Severity severity : Severity.values()) {
        found.add(diagnosis(severity, share));
      }
    }
    found.sort(Diagnosis.MOST_URGENT);
    assertThat(found)
        .extracting(Diagnosis::check)
        .containsExactly(
            "PROBLEM 0.3",
            "PROBLEM 0.04",
            "PROBLEM 0.0",
            "RISK 0.3",
            "ADVICE 0.3",
            "RISK 0.04",
            "RISK 0.0",
            "ADVICE 0.04",
            "ADVICE 0.0");
  }
}
