package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The run loop on a virtual clock: no JVM is started and nothing sleeps. */
class RunExecutorTest extends RunFixture {
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
  void aServerThatDiedIsNamedAndNotTheAgentThatFoundItMissing() {
    run.grid()
        .on(
            "agent-0",
            Command.Prepare.class,
            1,
            1,
            (agent, command) -> {
              run.grid().started("node-1").forEach(server -> server.die("was killed"));
              return Optional.of(new Answer.Failed("nodes is 1, not 2."));
            });
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made.get(0).why().orElseThrow()).contains("node-1 was killed");
  }

  @Test
  void agentsThatFallSilentFailTheTrialAfterTwentySeconds() {
    // It says that it has begun, and never loads.
    run.grid().answers("agent-0", Command.Begin.class, 1, 1, new Answer.Done());
    List<TrialRecord> made =
        run.run(FakeRun.groupOf("put", FakeRun.settings("put").with("measure", 60)));
    assertThat(made.get(0).why().orElseThrow()).contains(" 20 s");
  }

  @Test
  void processesThatDoNotStartTwiceAreGivenUpAndTheNextGroupIsMade() {
    run.grid().refuses("node-0", Command.StartServer.class, 0, 2, "The port is taken.");
    List<TrialRecord> made = run.run(FakeRun.blocksOf(2, "put", "put-all"));
    assertThat(Attempts.selectedAttempts(made).stream().filter(t -> t.block() == 0))
        .allMatch(t -> t.outcome() == Outcome.FAILED);
    assertThat(Attempts.selectedAttempts(made).stream().filter(t -> t.block() == 1))
        .hasSize(2)
        .allMatch(t -> t.outcome() == Outcome.OK);
  }

  @Test
  void aTrialThatFailsVerificationHasNoThroughputAndIsNotRepeated() {
    Evidence lost =
        new Evidence.Contents(new ContentDigest(10, 42), Optional.of(new ContentDigest(9, 41)), 0);
    run.grid().answers("agent-0", Command.Verify.class, 1, 1, new Answer.Verified(lost));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).hasSize(1);
    assertThat(made.get(0).outcome()).isEqualTo(Outcome.WRONG);
    assertThat(made.get(0).throughput()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0.04, 60", "3, 60", "7, 60", "30, 90"})
  void aTrialThatFinishesNothingIsMeasuredForAMinuteOrThreeTimesAsLongAndThenWrong(
      double measure, double seconds) {
    run.grid().rate(trial -> 0);
    TrialRecord made =
        run.run(FakeRun.groupOf("put", FakeRun.settings("put").with("measure", measure))).get(0);
    assertThat(made.outcome()).isEqualTo(Outcome.WRONG);
    assertThat(made.counts().seconds()).isBetween(seconds - 0.05, seconds + 0.15);
  }

  @Test
  void aTrialThatFinishesSomethingLateIsMeasuredForWholeTimesOfItsMeasuredPart() {
    AtomicInteger tenths = new AtomicInteger();
    run.grid().samples(() -> tenths.getAndIncrement() < 160 ? 0 : 100);
    Settings settings = FakeRun.settings("put").with("common-warm-up", 0);
    TrialRecord made = run.run(FakeRun.groupOf("put", settings.with("measure", 3))).get(0);
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    assertThat(made.counts().seconds()).isBetween(17.95, 18.15);
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
    assertThat(made).hasSize(6 + 3);
    assertThat(run.notes()).isNotEmpty();
  }

  private double stolen;

  /** Steal takes half of the time that passes while it is disturbed. */
  private MachineReading disturbed(boolean now) {
    double total = run.time().seconds() * 2;
    stolen = now ? total / 2 : stolen;
    return run.reading(Optional.of(new MachineReading.Cpu(2, 0, stolen, total)), Optional.empty());
  }

  @Test
  void aRunThatWasStoppedBeforeItsProbesOwesThemAlone() {
    RunFolder folder = run.recorded(FakeRun.blocksOf(1, "put"));
    run.probes(ProbeKind.ORDER);
    List<TrialRecord> resumed = run.resume(run.plan(FakeRun.blocksOf(1, "put")), folder);
    assertThat(resumed).hasSize(1);
    assertThat(folder.probes()).hasSize(1);
  }
}
