package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.lab.journal.RunFolder;
import io.pyrometer.protocol.TrialResult;
import io.pyrometer.protocol.TrialResult.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same as {@link KilledIT} with real server nodes: any process may be killed at any time. */
class KilledIgniteIT {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: killed
      question: Does a run on a cluster outlive what is done to it?
      grid: {driver: ignite, nodes: 2, region: 64m, node-heap: 300m, agent-heap: 256m}
      workload:
        record: stock-order
        records: 2000
        batch: 100
        warm-up: 0.5s
        measure: 2.5s
        common-warm-up: 0s
      factors:
        path: [put, put-async, put-all, get-all]
      blocks: 1
      probes: []
      """;
  private static final String NODE = "-Xmx" + (300L << 20);
  private static final String AGENT = "-Xmx" + (256L << 20);
  private static final long INTO_THE_TRIAL_MILLIS = 1_200;

  @TempDir Path folder;
  private Pyrometer pyrometer = new Pyrometer(Path.of(""));

  @BeforeEach
  void writeExperiment() throws Exception {
    pyrometer = new Pyrometer(folder);
    Files.writeString(folder.resolve("killed.yaml"), EXPERIMENT);
  }

  @Test
  void aNodeAndAnAgentThatAreKilledFailTheirTrialsWhichAreMadeOnceMore() throws Exception {
    Process process = pyrometer.start("run", "killed.yaml");
    inTheTrialAfter(process, 1);
    worker(process, NODE).destroyForcibly();
    inTheTrialAfter(process, 3);
    worker(process, AGENT).destroyForcibly();
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(trials())
        .filteredOn(trial -> trial.outcome() == Outcome.FAILED)
        .extracting(trial -> trial.why().orElse(""))
        .anyMatch(why -> why.matches("While it was to .*: node-\\d was killed.*"))
        .anyMatch(why -> why.matches("While it was to .*: agent-0 was killed.*"));
    assertEveryTrialCameRight();
    assertNothingHalfWritten();
  }

  @Test
  void aCoordinatorInterruptedOrKilledLeavesNoJvmAndItsRunIsCarriedOn() throws Exception {
    Process interrupted = pyrometer.start("run", "killed.yaml");
    inTheTrialAfter(interrupted, 1);
    List<ProcessHandle> first = Pyrometer.workers(interrupted);
    assertThat(new ProcessBuilder("kill", "-INT", "" + interrupted.pid()).start().waitFor())
        .isZero();
    assertGone(first);
    assertThat(interrupted.waitFor(5, TimeUnit.SECONDS)).isTrue();
    assertThat(trials()).hasSize(1);
    String run = pyrometer.runFolder().getFileName().toString();
    Process killed = pyrometer.start("resume", run);
    inTheTrialAfter(killed, 2);
    List<ProcessHandle> second = Pyrometer.workers(killed);
    killed.destroyForcibly();
    assertGone(second);
    Ended ended = pyrometer.run("resume", run);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(trials()).allMatch(trial -> trial.outcome() == Outcome.OK);
    assertEveryTrialCameRight();
    assertNothingHalfWritten();
  }

  /** Returns in the middle of the trial that follows so many lines of the journal. */
  private void inTheTrialAfter(Process process, int lines) throws Exception {
    Pyrometer.await(
        "so many trials: " + lines, () -> pyrometer.journalLines() >= lines || !process.isAlive());
    assertThat(process.isAlive()).isTrue();
    Pyrometer.await("a whole cluster", () -> Pyrometer.workers(process).size() == 3);
    Thread.sleep(INTO_THE_TRIAL_MILLIS);
  }

  private static ProcessHandle worker(Process coordinator, String heap) {
    return Pyrometer.workers(coordinator).stream()
        .filter(w -> List.of(w.info().arguments().orElse(new String[0])).contains(heap))
        .findFirst()
        .orElseThrow();
  }

  private static void assertGone(List<ProcessHandle> workers) throws Exception {
    assertThat(workers).hasSize(3);
    for (ProcessHandle worker : workers) {
      worker.onExit().get(5, TimeUnit.SECONDS);
    }
  }

  private List<TrialResult> trials() throws Exception {
    return new RunFolder(pyrometer.runFolder()).trials();
  }

  private void assertEveryTrialCameRight() throws Exception {
    Set<String> right =
        trials().stream()
            .filter(trial -> trial.outcome() == Outcome.OK)
            .map(trial -> trial.settings().text("path"))
            .collect(Collectors.toSet());
    assertThat(right).containsExactlyInAnyOrder("put", "put-async", "put-all", "get-all");
  }

  private void assertNothingHalfWritten() throws Exception {
    Path run = pyrometer.runFolder();
    assertThat(Files.readString(run.resolve("journal.jsonl"))).endsWith("}\n");
    try (Stream<Path> files = Files.walk(run)) {
      assertThat(files.map(Path::toString)).noneMatch(file -> file.endsWith(".part"));
    }
    assertThat(run.resolve("report.html")).isNotEmptyFile();
  }
}
