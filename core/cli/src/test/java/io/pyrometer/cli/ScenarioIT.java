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
  /** Both faults come in one trial: the 40th answer is lost before a service is killed. */
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: scenario
      question: Is a lost message found, and is none lost with a service that is killed?
      grid:
        driver: ignite
        nodes: 1
        region: 64m
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
        warm-up: 0s
        measure: 2s
        drop-message: 40
        kill: service
        kill-after: 1s
      blocks: 1
      analyses: [scenario]
      """;

  private static double value(TrialRecord trial, String metric) {
    return trial.value(metric).orElseThrow();
  }

  @Test
  void aDroppedMessageIsFoundAndAKilledServiceLosesNone() throws Exception {
    write("scenario.yaml", EXPERIMENT);
    Process process = pyrometer.start("run", "scenario.yaml");
    Pyrometer.await(
        "a server, a client, two services and a mock",
        () -> Pyrometer.workers(process).size() == 5 || !process.isAlive());
    List<ProcessHandle> workers = Pyrometer.workers(process);
    Pyrometer.await("the trial", () -> pyrometer.journalLines() >= 1 || !process.isAlive());
    // A trial that was disturbed would be repeated, which takes its time and shows nothing new.
    process.destroy();
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).doesNotContain("Exception");
    awaitEnd(workers);

    TrialRecord trial = trials().get(0);
    assertThat(trial.outcome()).isEqualTo(Outcome.OK);
    Verification verification = trial.result().verification().orElseThrow();
    assertThat(verification.passed()).as(verification.found()).isTrue();
    assertThat(trial.configuration().get("killed")).startsWith("service-1 after ");
    assertThat(value(trial, "count.requests-of-a-killed-service")).isPositive();
    assertThat(value(trial, "outcome.timed-out")).isPositive();
    assertThat(value(trial, "outcome.failed")).isZero();
    assertThat(value(trial, "outcome.completed") + value(trial, "outcome.timed-out"))
        .isCloseTo(100, within(1e-9));
  }
}
