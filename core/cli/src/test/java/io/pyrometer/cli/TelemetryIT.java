package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is recorded beside the load, from the experiment's file to the report. */
class TelemetryIT extends RunFixture {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: telemetry
      question: Does every device record?
      grid: {driver: "null"}
      workload:
        record: stock-order
        records: 2000
        warm-up: 0.5s
        measure: 2s
        common-warm-up: 0s
        agent-heap: 128m
        agent-jvm-args: -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmn8m
      telemetry: [gc, profile, grid]
      factors:
        path: [put, get]
      design: full
      blocks: 1
      seed: 1
      analyses: [ranking]
      """;

  @Tag("extended")
  @Test
  void everyDeviceLeavesItsMetricsAndArtefactsAndOneThatCannotSaysWhy() throws Exception {
    write("telemetry.yaml", EXPERIMENT);
    succeed("run", "telemetry.yaml");
    // A trial that the machine disturbed is repeated.
    assertThat(trials()).hasSizeGreaterThan(1).allMatch(trial -> trial.outcome() == Outcome.OK);
    for (TrialRecord trial : trials()) {
      assertThat(trial.metrics())
          .containsKeys(
              "cpu.user.agent-0",
              "cpu.system.agents",
              "gc.pauses.agent-0",
              "gc.pause-total.agents",
              "profile.cpu-stacks.agent-0");
      assertThat(trial.value("profile.cpu-stacks.agent-0").orElseThrow()).isPositive();
      assertThat(trial.value("cpu.seconds.agents")).isEqualTo(trial.value("cpu.seconds.agent-0"));
      assertThat(trial.artefacts())
          .extracting(Artefact::kind)
          .contains("gc-log", "flame-graph", "collapsed-stacks");
      for (Artefact artefact : trial.artefacts()) {
        assertThat(pyrometer.runFolder().resolve(artefact.file())).isNotEmptyFile();
      }
      assertThat(trial.configuration())
          .containsEntry(
              TrialRecord.UNAVAILABLE,
              "Telemetry 'grid' did not record agent-0: The product keeps no metrics in this"
                  + " process.");
    }
    Path flames =
        pyrometer.runFolder().resolve("trials/" + trials().get(0).id() + "/agents-cpu.html");
    // The converter leaves out what a frame shares with the one before it.
    assertThat(flames).content().contains("pyrometer/").doesNotContain("<script src");
    assertThat(Files.readString(pyrometer.runFolder().resolve("report.html")))
        .contains("trials/" + trials().get(0).id() + "/agents-cpu.html");
  }

  @Test
  void aJvmArgumentThatTheJvmRefusesIsSaidInItsWords() throws Exception {
    write("telemetry.yaml", EXPERIMENT.replace("-XX:+UseSerialGC", "-XX:+UseNoSuchGC"));
    Ended ended = pyrometer.run("run", "telemetry.yaml", "--set", "path=put");
    assertThat(ended.code()).isNotZero();
    assertThat(trials())
        .isNotEmpty()
        .allMatch(trial -> trial.why().orElse("").contains("UseNoSuchGC"));
  }
}
