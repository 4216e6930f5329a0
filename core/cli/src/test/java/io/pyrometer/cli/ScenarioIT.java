package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Verification;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A scenario on a real cache server, with each of its roles in a process of its own. */
class ScenarioIT extends RunFixture {
  /** The seed decides that the trial that ends the processes comes last. */
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: scenario
      question: Is a lost message found, and is none lost with a service that is killed?
      grid:
        driver: ignite
        nodes: 1
        region: 64m
        partitions: 16
        node-heap: 256m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      workload:
        scenario: async-service
        service-processes: 2
        rate: 100
        answers-least: 2
        request-timeout: 1s
        common-warm-up: 0s
        warm-up: 0.2s
        measure: 1.2s
        kill-after: 0.5s
      cases:
        dropped-message: {drop-message: 40}
        killed-service: {kill: service}
      blocks: 1
      seed: 1
      analyses: [scenario]
      """;

  private static double value(TrialRecord trial, String metric) {
    return trial.value(metric).orElseThrow();
  }

  private static Verification verification(TrialRecord trial) {
    return trial.result().verification().orElseThrow();
  }

  @Test
  void aDroppedMessageIsFoundAndAKilledServiceLosesNone() throws Exception {
    write("scenario.yaml", EXPERIMENT);
    Process process = pyrometer.start("run", "scenario.yaml");
    Pyrometer.await(
        "a server, a client, two services and a mock",
        () -> Pyrometer.workers(process).size() == 5 || !process.isAlive());
    List<ProcessHandle> workers = Pyrometer.workers(process);
    Pyrometer.await("the second trial", () -> pyrometer.journalLines() >= 2 || !process.isAlive());
    // A trial that was disturbed would be repeated, which takes its time and shows nothing new.
    process.destroy();
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).doesNotContain("Exception");
    awaitEnd(workers);

    List<TrialRecord> trials = trials();
    assertThat(trials)
        .filteredOn(trial -> trial.settings().text("kill").equals("nothing"))
        .isNotEmpty()
        .allSatisfy(
            trial ->
                assertThat(verification(trial).passed()).as(verification(trial).found()).isTrue());
    assertThat(trials)
        .filteredOn(trial -> trial.settings().text("kill").equals("service"))
        .isNotEmpty()
        .allSatisfy(
            trial -> {
              assertThat(trial.outcome()).isEqualTo(Outcome.OK);
              assertThat(verification(trial).passed()).as(verification(trial).found()).isTrue();
              assertThat(trial.configuration().get("killed")).startsWith("service-1 after ");
              assertThat(value(trial, "count.requests-of-a-killed-service")).isPositive();
              assertThat(value(trial, "outcome.timed-out")).isPositive();
              assertThat(value(trial, "outcome.failed")).isZero();
              assertThat(value(trial, "outcome.completed") + value(trial, "outcome.timed-out"))
                  .isCloseTo(100, within(1e-9));
            });
  }
}
