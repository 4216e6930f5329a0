package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.ProcessStart;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The run loop on a virtual clock: no JVM is started and nothing sleeps. */
class RunExecutorTest {
  @TempDir Path runs;
  private FakeRun run;

  @BeforeEach
  void newRun() {
    run = new FakeRun(runs);
  }

  private static List<String> ids(List<TrialRecord> records) {
    return records.stream().map(TrialRecord::id).toList();
  }

  private static List<Outcome> outcomes(List<TrialRecord> records) {
    return records.stream().map(TrialRecord::outcome).toList();
  }

  @Test
  void everyTrialIsMadeOnceInOrderAndNoProcessIsLeft() {
    List<TrialRecord> made = run.run(FakeRun.blocksOf(2, "put", "put-all"));
    assertThat(ids(made))
        .containsExactly("0001-b1-put", "0002-b1-put-all", "0003-b2-put", "0004-b2-put-all");
    assertThat(outcomes(made)).containsOnly(Outcome.OK);
    assertThat(made).allMatch(trial -> Math.abs(trial.throughput().orElse(0.0) - 1_000) < 1);
    assertThat(run.grid().living()).isEmpty();
    assertThat(run.blocks()).containsExactly(0, 1);
  }

  @Test
  void everyBlockGetsFreshProcesses() {
    run.run(FakeRun.blocksOf(3, "put"));
    assertThat(run.grid().started())
        .extracting(FakeProcess::name)
        .filteredOn("node-0"::equals)
        .hasSize(3);
  }

  @Test
  void everyTrialTellsItsStartOfProcessesAndItsPlaceThere() {
    assertThat(run.run(FakeRun.blocksOf(2, "put", "put-all")))
        .extracting(trial -> trial.identity().start().orElseThrow())
        .containsExactly(
            new ProcessStart(1, 1),
            new ProcessStart(1, 2),
            new ProcessStart(2, 1),
            new ProcessStart(2, 2));
  }

  @Test
  void aServerThatDiedIsNamedAndNotTheAgentThatFoundItMissing() {
    run.grid()
        .on(
            "agent-0",
            Command.Prepare.class,
            1,
            1,
            (agent, command) -> {
              run.grid().living().stream()
                  .filter(process -> process.name().equals("node-1"))
                  .forEach(server -> server.die("was killed (exit code 137)"));
              return Optional.of(new Answer.Failed("nodes is 1, not 2."));
            });
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made.get(0).why().orElseThrow()).contains("node-1 was killed");
  }

  @Test
  void agentsThatFallSilentFailTheTrialAfterTwentySeconds() {
    run.grid()
        .on(
            "agent-0",
            Command.Begin.class,
            1,
            1,
            (agent, command) -> Optional.of(new Answer.Done())); // says so, and never loads
    List<Group> longTrial = FakeRun.blocksOf(1, "put");
    TrialSpec spec = longTrial.get(0).trials().get(0);
    TrialSpec slow =
        new TrialSpec(
            spec.id(),
            spec.ordinal(),
            spec.block(),
            spec.levels(),
            spec.job(),
            spec.settings().with("measure", 60),
            spec.record(),
            spec.seed());
    List<TrialRecord> made =
        run.run(List.of(new Group(0, longTrial.get(0).process(), List.of(slow))));
    assertThat(made.get(0).why().orElseThrow()).contains("No agent said anything for 20 s");
  }

  @Test
  void processesThatDoNotStartTwiceAreGivenUpAndTheNextGroupIsMade() {
    run.grid().refuses("node-0", Command.StartServer.class, 0, 2, "The port is taken.");
    List<TrialRecord> made = run.run(FakeRun.blocksOf(2, "put", "put-all"));
    assertThat(Attempts.selectedAttempts(made).stream().filter(t -> t.block() == 0))
        .allMatch(t -> t.outcome() == Outcome.FAILED)
        .allMatch(t -> t.why().orElse("").contains("The port is taken."));
    assertThat(Attempts.selectedAttempts(made).stream().filter(t -> t.block() == 1))
        .hasSize(2)
        .allMatch(t -> t.outcome() == Outcome.OK);
  }

  @Test
  void aTrialThatIsRepeatedOnFreshProcessesIsWarmedUpLikeTheFirst() {
    // The second set-up is that of the trial, after one turn of warm-up; the fourth, its
    // repetition.
    run.grid().refuses("agent-0", Command.Prepare.class, 1, 1, "No such cache.");
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).hasSize(2);
    assertThat(made.get(0).why().orElseThrow()).contains("Failed during set-up");
    assertThat(made.get(1).outcome()).isEqualTo(Outcome.OK);
    assertThat(run.grid().told(Command.Prepare.class)).hasSize(4);
  }

  @Test
  void aTrialThatFailsVerificationHasNoThroughputAndIsNotRepeated() {
    run.grid()
        .on(
            "agent-0",
            Command.Verify.class,
            1,
            1,
            (agent, command) ->
                Optional.of(
                    new Answer.Verified(
                        new Evidence.Contents(
                            new ContentDigest(10, 42), Optional.of(new ContentDigest(9, 41))))));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).hasSize(1);
    assertThat(made.get(0).outcome()).isEqualTo(Outcome.WRONG);
    assertThat(made.get(0).throughput()).isEmpty();
    assertThat(made.get(0).why().orElseThrow()).contains("Expected 10 records");
  }

  @Test
  void aTrialThatFinishesNothingIsMeasuredThreeTimesAsLongAndThenWrong() {
    run.grid().rate(trial -> trial.path().equals("stuck") ? 0 : 1_000);
    double before = run.time().seconds();
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "stuck"));
    assertThat(made.get(0).outcome()).isEqualTo(Outcome.WRONG);
    assertThat(made.get(0).why().orElseThrow()).contains("No operation completed");
    assertThat(made.get(0).counts().seconds()).isBetween(9.0, 9.5);
    assertThat(run.time().seconds()).isGreaterThan(before + 9);
  }

  @Test
  void aDisturbedTrialIsRepeatedOnceAndBothAreKept() {
    run.machine(() -> disturbed(run.grid().told(Command.Measure.class).size() < 2));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put", "put-all"));
    assertThat(ids(made)).containsExactly("0001-b1-put", "0002-b1-put-all", "0001-b1-put");
    assertThat(made.get(0).disturbed()).isTrue();
    assertThat(made.get(2).disturbed()).isFalse();
    assertThat(Attempts.selectedAttempts(made).get(0)).isEqualTo(made.get(2));
  }

  @Test
  void repeatingIsGivenUpOnAMachineThatIsDisturbedAllTheTime() {
    run.machine(() -> disturbed(true));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(3, "put", "put-all"));
    assertThat(made.stream().filter(trial -> trial.attempt() == 2)).hasSize(3);
    assertThat(made.stream().filter(trial -> trial.attempt() == 1)).hasSize(6);
    assertThat(run.notes()).anyMatch(note -> note.contains("disturbed"));
  }

  private double stolen;

  /** Steal takes half of the time that passes while it is disturbed. */
  private MachineReading disturbed(boolean now) {
    double total = run.time().seconds() * 2;
    stolen = now ? total / 2 : stolen;
    return new MachineReading(
        "",
        Optional.of(new MachineReading.Cpu(2, 0, now ? total / 2 : stolen, total)),
        Optional.empty(),
        Optional.empty(),
        run.time().nanoTime() / 1_000_000,
        run.time().nanoTime());
  }

  @Test
  void aRunThatIsCutAnywhereIsResumedToTheSameTrials() throws IOException {
    List<Group> groups = FakeRun.blocksOf(2, "put", "put-all", "streamer");
    PlannedRun plan = run.plan(groups);
    RunFolder whole = run.begin(plan);
    List<String> all = ids(run.resume(plan, whole));
    List<String> lines = Files.readAllLines(whole.journal());
    for (int kept = 0; kept <= lines.size(); kept++) {
      RunFolder cut = run.begin(plan);
      String torn = kept < lines.size() ? lines.get(kept).substring(0, 30) : "";
      Files.writeString(
          cut.journal(),
          String.join("", lines.subList(0, kept).stream().map(l -> l + "\n").toList()) + torn);
      List<TrialRecord> resumed = run.resume(plan, cut);
      assertThat(ids(resumed)).as("resumed after %d trials", kept).isEqualTo(all);
    }
  }

  @Test
  void nothingIsRecordedOnceTheCoordinatorIsEnding() {
    run.grid()
        .on(
            "agent-0",
            Command.Measure.class,
            1,
            1,
            (agent, command) -> {
              run.grid().endCoordinator();
              return Optional.empty();
            });
    PlannedRun plan = run.plan(FakeRun.blocksOf(1, "put", "put-all", "streamer"));
    RunFolder folder = run.begin(plan);
    run.resume(plan, folder);
    assertThat(ids(folder.trials())).containsExactly("0001-b1-put");
    assertThat(run.grid().living()).isEmpty();
  }

  @Test
  void probesAreMadeOnceARunAfterTheTrialsOfTheirGroup() {
    run.probes(ProbeKind.ORDER, ProbeKind.READ);
    PlannedRun plan = run.plan(FakeRun.blocksOf(2, "put"));
    RunFolder folder = run.begin(plan);
    run.resume(plan, folder);
    assertThat(folder.probes())
        .extracting(probe -> probe.probe())
        .containsExactly(ProbeKind.ORDER, ProbeKind.READ);
  }

  @Test
  void aRunThatWasStoppedBeforeItsProbesOwesThemAlone() {
    PlannedRun without = run.plan(FakeRun.blocksOf(1, "put"));
    RunFolder folder = run.begin(without);
    run.resume(without, folder);
    run.probes(ProbeKind.ORDER);
    List<TrialRecord> resumed = run.resume(run.plan(FakeRun.blocksOf(1, "put")), folder);
    assertThat(resumed).hasSize(1);
    assertThat(folder.probes()).hasSize(1);
  }

  @Test
  void blocksAreAddedUntilTheEstimatesArePrecise() {
    Random random = new Random(5);
    run.stopping(new StoppingRule(3, 0.03, 10, 0.95));
    run.grid().rate(trial -> 1_000 * Math.exp(0.005 * random.nextGaussian()));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(10, "put", "put-all"));
    assertThat(made).hasSize(6);
  }

  @Test
  void blocksAreAddedUpToTheLastWhereTheEstimatesStayImprecise() {
    Random random = new Random(3);
    run.stopping(new StoppingRule(3, 0.03, 6, 0.95));
    run.grid().rate(trial -> 1_000 * Math.exp(0.5 * random.nextGaussian()));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(6, "put"));
    assertThat(made).hasSize(6);
  }
}
