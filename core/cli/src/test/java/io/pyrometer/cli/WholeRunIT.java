package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.ProbeResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs on the null grid, which starts in no time. */
class WholeRunIT extends RunFixture {
  private static final double MEASURED_SECONDS = 0.4;
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: nothing
      question: How fast is nothing?
      grid: {driver: "null"}
      workload:
        record: stock-order
        records: 2000
        warm-up: 0.2s
        measure: 0.4s
        common-warm-up: 0.2s
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      factors:
        path: [put, get]
      design: full
      blocks: 2
      seed: 1
      analyses: [ranking]
      probes: [order]
      """;

  @TempDir static Path whole;
  private static Pyrometer wholeRun = new Pyrometer(Path.of(""));
  private static Ended wholeEnded = new Ended(-1, "", "");

  /** Any process may be killed at any time: no JVM stays, no trial is lost. */
  @BeforeAll
  static void runOnceKilledAndInterruptedOnItsWay() throws Exception {
    Files.writeString(whole.resolve("nothing.yaml"), EXPERIMENT);
    wholeRun = new Pyrometer(whole);
    Process first = wholeRun.start("run", "nothing.yaml");
    Pyrometer.await(
        "the start of a worker",
        () -> Pyrometer.workers(first).stream().anyMatch(WholeRunIT::isJvm) || !first.isAlive());
    assertThat(endedWith("KILL", first)).isEmpty();

    Process second = wholeRun.start("resume", wholeRun.runFolder().toString());
    Pyrometer.await("a trial", () -> wholeRun.journalLines() >= 1 || !second.isAlive());
    List<TrialRecord> recorded = endedWith(interruptsAreIgnored() ? "KILL" : "INT", second);
    assertThat(recorded).isNotEmpty().allMatch(trial -> trial.outcome() == Outcome.OK);

    wholeEnded = wholeRun.run("resume", wholeRun.runFolder().toString());
  }

  /** The trials in the journal after a signal and the end of all processes. */
  private static List<TrialRecord> endedWith(String signal, Process coordinator) throws Exception {
    assertThat(coordinator.isAlive()).isTrue();
    List<ProcessHandle> all = new ArrayList<>(Pyrometer.workers(coordinator));
    assertThat(all).isNotEmpty();
    all.add(coordinator.toHandle());
    String[] command = {"kill", "-" + signal, "" + coordinator.pid()};
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    awaitEnd(all);
    return trials(wholeRun);
  }

  /** Other commands, which ask about the machine, end by themselves. */
  private static boolean isJvm(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("java")).isPresent();
  }

  /** Shells start some tests deaf to Ctrl-C, which a new process inherits (proc(5)). */
  private static boolean interruptsAreIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }

  @BeforeEach
  void writeExperiment() throws Exception {
    write("nothing.yaml", EXPERIMENT);
  }

  private static List<TrialRecord> trials(Pyrometer pyrometer) throws Exception {
    return new RunFolder(pyrometer.runFolder()).trials();
  }

  /** A disturbed trial is made once more, and on a busy machine any may be. */
  private static List<String> firstAttempts(Pyrometer pyrometer) throws Exception {
    return trials(pyrometer).stream()
        .filter(trial -> trial.attempt() == 1)
        .map(TrialRecord::id)
        .toList();
  }

  @Test
  void aRunLeavesAFolderThatHoldsEverything() throws Exception {
    assertThat(wholeEnded.err()).isEmpty();
    assertThat(wholeEnded.code()).isZero();
    assertThat(wholeEnded.out())
        .contains("How fast is nothing?", "Report: ")
        .containsAnyOf("  valid for ", "No answer: ");
    Path run = wholeRun.runFolder();
    for (String file :
        List.of("experiment.yaml", "plan.json", "environment.json", "results.json")) {
      assertThat(run.resolve(file)).isNotEmptyFile();
    }
    assertThat(run.resolve("results.json"))
        .content()
        .contains("\"answer\" : {")
        .containsAnyOf("\"answer.throughput\"", "\"no-answer.disturbed\"");
    assertThat(run.resolve("plan.json")).content().contains("\"schema\" : 3");
    assertThat(run.resolve("plan.json")).content().contains("[ \"run\", \"nothing.yaml\" ]");
    assertThat(run.resolve("report.html"))
        .content()
        .contains("How fast is nothing?", run.getFileName() + "/experiment.yaml\"");
    assertThat(run.resolve("results.csv")).content().startsWith("schema,trial,block");
    List<TrialRecord> trials = trials(wholeRun);
    assertThat(trials).allMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(trials).allMatch(trial -> trial.counts().seconds() >= MEASURED_SECONDS);
    assertThat(firstAttempts(wholeRun)).doesNotHaveDuplicates().hasSize(4);
    assertThat(new RunFolder(run).probes()).extracting(ProbeResult::path).containsExactly("put");
    for (String kind : List.of(".hlog", ".slow.jsonl")) {
      try (Stream<Path> files = Files.list(run.resolve("trials"))) {
        assertThat(files.filter(file -> file.toString().endsWith(kind))).hasSize(trials.size());
      }
    }
  }

  /** A path whose calls never end fails its own trials, and nobody else's. */
  @Tag("extended")
  @Test
  void aPathThatHangsFailsItsTrialAndTheRunGoesOn() throws Exception {
    write("nothing.yaml", EXPERIMENT.replace("[put, get]", "[put, stuck, put-async]"));
    Ended ended =
        pyrometer.run("run", "nothing.yaml", "--blocks", "1", "--set", "drain-timeout=1s");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out()).contains(" 1: 1 of 3 ", "(stuck: ");
    RunFolder run = new RunFolder(pyrometer.runFolder());
    List<TrialRecord> stuck =
        run.trials().stream().filter(t -> t.settings().text("path").equals("stuck")).toList();
    assertThat(stuck).extracting(TrialRecord::attempt).containsExactly(1, 2);
    assertThat(stuck)
        .allSatisfy(
            trial -> {
              assertThat(trial.outcome()).isEqualTo(Outcome.FAILED);
              assertThat(trial.why().orElseThrow()).contains("'stuck'", " 1 s");
            });
    assertThat(run.trials())
        .filteredOn(trial -> trial.outcome() == Outcome.OK)
        .extracting(trial -> trial.settings().text("path"))
        .contains("put", "put-async");
    assertThat(run.probes())
        .extracting(ProbeResult::path)
        .containsExactlyInAnyOrder("put", "put-async");
    assertThat(run.probes())
        .allSatisfy(probe -> assertThat(probe.found().orElseThrow().staleOrLost()).isZero());
  }

  @Tag("extended")
  @Test
  void everyDeviceLeavesItsMetricsAndArtefactsAndOneThatCannotSaysWhy() throws Exception {
    write(
        "nothing.yaml",
        EXPERIMENT.replace("=1\n", "=1 -XX:+UseSerialGC -Xmn8m\n")
            + "telemetry: [gc, profile, grid]\n");
    succeed("run", "nothing.yaml", "--blocks", "1", "--set", "measure=2s");
    // A trial that the machine disturbed is repeated.
    assertThat(trials()).hasSizeGreaterThan(1).allMatch(trial -> trial.outcome() == Outcome.OK);
    for (TrialRecord trial : trials()) {
      assertThat(trial.metrics())
          .containsKeys("gc.pauses.agent-0", "gc.pause-total.agents", "profile.cpu-stacks.agent-0");
      assertThat(trial.value("profile.cpu-stacks.agent-0").orElseThrow()).isPositive();
      assertThat(trial.artefacts())
          .extracting(Artefact::kind)
          .contains("gc-log", "flame-graph", "collapsed-stacks");
      for (Artefact artefact : trial.artefacts()) {
        assertThat(pyrometer.runFolder().resolve(artefact.file())).isNotEmptyFile();
      }
      assertThat(trial.configuration())
          .hasEntrySatisfying(
              TrialRecord.UNAVAILABLE, why -> assertThat(why).contains("'grid'", "agent-0"));
    }
    Path flames =
        pyrometer.runFolder().resolve("trials/" + trials().get(0).id() + "/agents-cpu.html");
    // The converter leaves out what a frame shares with the one before it.
    assertThat(flames).content().contains("pyrometer/").doesNotContain("<script src");
    assertThat(Files.readString(pyrometer.runFolder().resolve("report.html")))
        .contains("trials/" + trials().get(0).id() + "/agents-cpu.html");
  }
}
