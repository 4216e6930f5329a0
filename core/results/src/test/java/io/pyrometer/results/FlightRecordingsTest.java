package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.results.FlightRecordings.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import jdk.jfr.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecordingsTest {
  private static final String RULE = "GCs Caused by System.gc()";

  @TempDir Path folder;

  @Test
  void collectionsByRequestAreARiskAndNoneAreHealthy() throws IOException, ParseException {
    Path quiet = recording("quiet", () -> {});
    Path collecting =
        recording(
            "collecting",
            () -> {
              for (int i = 0; i < 5; i++) {
                System.gc();
              }
            });
    HealthReport found =
        FlightRecordings.judge(
            List.of(
                new Recording(quiet, "node-0", "node-0, put"),
                new Recording(collecting, "node-1", "node-1, put")));
    assertThat(found.subject()).startsWith("2 flight recordings");
    assertThat(found.servers()).isEqualTo(2);
    assertThat(found.diagnoses()).extracting(Diagnosis::check).contains(RULE);
    Diagnosis risk =
        found.diagnoses().stream().filter(d -> d.check().equals(RULE)).findFirst().orElseThrow();
    assertThat(risk.severity()).isEqualTo(Severity.RISK);
    assertThat(risk.evidence()).singleElement().matches(e -> e.where().equals("node-1, put"));
    assertThat(risk.evidence().get(0).value()).endsWith("of 100");
    assertThat(risk.symptom() + risk.cause() + risk.action()).doesNotContain("{", "<");
    assertThat(
            FlightRecordings.judge(List.of(new Recording(quiet, "node-0", "node-0"))).diagnoses())
        .extracting(Diagnosis::check)
        .doesNotContain(RULE);
  }

  @Test
  void aDamagedRecordingIsOneSentence() throws IOException {
    Path damaged = Files.writeString(folder.resolve("damaged.jfr"), "no recording");
    assertThatThrownBy(
            () -> FlightRecordings.judge(List.of(new Recording(damaged, "node-0", "node-0"))))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("damaged.jfr cannot be judged");
  }

  private Path recording(String name, Runnable work) throws IOException, ParseException {
    Path file = folder.resolve(name + ".jfr");
    try (jdk.jfr.Recording recording =
        new jdk.jfr.Recording(Configuration.getConfiguration("profile"))) {
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return file;
  }
}
