package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run folder that version 1 wrote (a quick first-light run on Ignite) still opens. */
class SchemaOneTest {
  private static final Path KEPT = Path.of("src/test/resources/run-of-schema-1");
  private final RunFolder folder = new RunFolder(KEPT);

  @Test
  void everyTrialComesBackWithItsFigures() throws IOException {
    List<String> lines =
        Files.readAllLines(KEPT.resolve("journal.jsonl")).stream()
            .filter(line -> line.startsWith("{\"schema\""))
            .toList();
    List<TrialRecord> trials = folder.trials();
    assertThat(trials).hasSameSizeAs(lines).hasSize(12);
    for (int i = 0; i < lines.size(); i++) {
      JsonNode old = Json.LINES.readTree(lines.get(i));
      TrialRecord trial = trials.get(i);
      assertThat(trial.schema()).isEqualTo(TrialRecord.SCHEMA);
      assertThat(trial.id()).isEqualTo(old.get("trial").asText());
      assertThat(trial.outcome()).isEqualTo(Outcome.OK);
      assertThat(trial.throughput()).contains(old.get("throughput").asDouble());
      assertThat(trial.value(Metric.CPU)).contains(old.get("cpuMicrosPerRecord").asDouble());
      assertThat(trial.counts().records()).isEqualTo(old.get("records").asLong());
      assertThat(trial.timeline().samples()).hasSize(old.get("samples").size());
      assertThat(trial.validity()).hasSize(old.get("validity").size());
      assertThat(trial.configuration()).hasSize(old.get("configuration").size());
      assertThat(trial.settings().text("path")).isEqualTo(trial.levels().get("path"));
      assertThat(trial.result().verification()).isPresent();
    }
  }

  @Test
  void percentilesOfTheLineAreThoseOfItsHistogramFile() {
    TrialRecord put =
        folder.trials().stream()
            .filter(trial -> trial.levels().containsValue("put"))
            .findFirst()
            .orElseThrow();
    Path histogram = KEPT.resolve(put.artefacts().get(0).file());
    Latencies latencies = Latencies.read(histogram);
    latencies
        .metrics()
        .forEach(
            (name, metric) ->
                assertThat(put.value(name).orElseThrow())
                    .isCloseTo(metric.value(), within(1e-6 * metric.value())));
    assertThat(latencies.metrics()).containsKey(Metric.latency("put", LatencyStatistic.P99));
  }

  @Test
  void itsPlanNamesItsDriverAndHasAllTrials() {
    PlannedRun plan = folder.plan();
    assertThat(plan.schema()).isEqualTo(PlannedRun.SCHEMA);
    assertThat(plan.name()).isEqualTo("first-light");
    assertThat(plan.trials()).hasSize(12);
    assertThat(plan.drivers()).containsOnlyKeys("ignite");
    assertThat(plan.driver(plan.trials().get(0).settings()).name()).isEqualTo("ignite");
    assertThat(plan.experiment().factors()).containsKey("path");
    assertThat(plan.testbed().hosts()).isEmpty();
    assertThat(folder.probes()).hasSize(7);
  }
}
