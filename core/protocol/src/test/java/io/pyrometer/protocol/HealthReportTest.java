package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HealthReportTest {
  private static HealthReport report(List<String> healthy, String... unjudged) {
    Unjudged reason = new Unjudged("no-profile", Map.of());
    return new HealthReport(
        "a run",
        0,
        0,
        List.of(),
        List.of(),
        healthy,
        Stream.of(unjudged).collect(Collectors.toMap(check -> check, check -> reason)),
        List.of());
  }

  @Test
  void aCheckThatAnotherReportMadeIsNotSaidToBeMissing() {
    HealthReport grid = report(List.of("heap"), "marshalling", "small-writes");
    HealthReport trials = report(List.of("marshalling"), "skipped-keys");
    assertThat(grid.besides(List.of(trials)).unjudged()).containsOnlyKeys("small-writes");
    assertThat(grid.besides(List.of()).unjudged()).hasSize(2);
  }

  @Test
  void aReportIsReadAsItIsWritten() throws IOException {
    HealthReport written =
        new HealthReport(
            "a grid",
            30,
            2,
            List.of(),
            List.of(diagnosis(Severity.PROBLEM, 0.3).because("doctor.heap")),
            List.of("heap"),
            Map.of("pauses", new Unjudged("failure", Map.of("failure", Value.name("x")))),
            List.of());
    String text = Json.LINES.writeValueAsString(written);
    assertThat(Json.LINES.readValue(text, HealthReport.class)).isEqualTo(written);
    assertThat(text).contains("\"sentence\":", "\"check\":\"check\"");
  }

  private static Diagnosis diagnosis(Severity severity, double share) {
    return new Diagnosis(
        Diagnosis.id("check"),
        severity,
        Map.of("share", Value.share(share)),
        share,
        List.of(),
        List.of(),
        Needs.NOTHING,
        Comparison.NONE,
        "",
        Optional.empty());
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
        .extracting(each -> each.severity() + " " + each.share())
        .containsExactly(
            "BUSY 0.3",
            "BUSY 0.04",
            "BUSY 0.0",
            "FAILURE 0.3",
            "FAILURE 0.04",
            "FAILURE 0.0",
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
