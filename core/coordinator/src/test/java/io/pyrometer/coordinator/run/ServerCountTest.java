package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.message.Messages;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No trial is valid on a grid that lacks a server. */
class ServerCountTest {
  private static final String ONE_OF_TWO =
      Messages.format("coordinator.server-count").formatted("1 server", 2);

  @TempDir Path runs;
  private int servers = 2;

  private FakeRun attached() {
    FakeRun run = new FakeRun(runs).attached("10.0.0.1:47500");
    run.grid().servers(() -> servers);
    return run;
  }

  /** The grid has so many servers from such a command on; a warm-up of each path comes first. */
  private FakeRun changing(Class<? extends Command> command, int skip, int to) {
    FakeRun run = attached();
    run.grid().before("agent-0", command, skip, () -> servers = to);
    return run;
  }

  @Test
  void aTrialOnServersThatDoNotFormOneGridIsNotValid() {
    FakeRun run = new FakeRun(runs);
    run.grid().servers(() -> 1);
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).extracting(TrialRecord::outcome).containsOnly(Outcome.FAILED);
    assertThat(made.get(0).why().orElseThrow()).contains(ONE_OF_TWO);
  }

  @Test
  void aServerThatAnAttachedGridLosesInATrialStopsTheRunWhichIsResumed() {
    FakeRun run = changing(Command.Verify.class, 4, 1);
    PlannedRun plan = run.plan(FakeRun.blocksOf(1, "put", "get", "scan"));
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(folder.path().toString());
    assertThat(folder.trials())
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.FAILED);
    assertThat(folder.trials().get(1).why().orElseThrow()).contains(ONE_OF_TWO);

    FakeRun stillWithout = attached();
    assertThatThrownBy(() -> stillWithout.resume(plan, folder)).isInstanceOf(RunException.class);
    assertThat(stillWithout.grid().told(Command.Prepare.class)).as("nothing is written").isEmpty();
    assertThat(folder.trials()).hasSize(2);

    servers = 2;
    assertThat(attached().resume(plan, folder))
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.FAILED, Outcome.OK, Outcome.OK);
  }

  @Test
  void theLoadOnAnAttachedGridThatLosesAServerEndsAtOnce() {
    FakeRun run = changing(Command.Measure.class, 0, 1);
    PlannedRun plan = run.plan(FakeRun.blocksOf(1, "put"));
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder)).isInstanceOf(RunException.class);
    assertThat(folder.trials().get(0).why().orElseThrow()).contains(ONE_OF_TWO);
    assertThat(run.grid().told(Command.Finish.class)).as("of the warm-up alone").hasSize(1);
  }

  @Test
  void aServerThatJoinsAnAttachedGridBetweenTwoTrialsStopsTheRunToo() {
    FakeRun run = changing(Command.TearDown.class, 2, 3);
    PlannedRun plan = run.plan(FakeRun.blocksOf(1, "put", "get"));
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder)).hasMessageContaining(" 3 servers ");
    assertThat(folder.trials())
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.FAILED);
  }

  @Test
  void aServerThatIsLostInAProbeStopsTheRun() {
    FakeRun run = changing(Command.EndProbe.class, 0, 1).probes(ProbeKind.ORDER);
    PlannedRun plan = run.plan(FakeRun.blocksOf(1, "put"));
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder)).isInstanceOf(RunException.class);
    assertThat(folder.probes()).hasSize(1);
  }

  @Test
  void anAttachedGridThatIsGoneIsSaidOnce() {
    FakeRun run = attached();
    run.grid().refuses("agent-0", Command.OpenSession.class, 1, 100, "No grid was joined.");
    PlannedRun plan = run.plan(FakeRun.blocksOf(3, "put", "get"));
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder))
        .hasMessageContaining("agent-0: No grid was joined.");
    assertThat(folder.trials())
        .as("those of the first block")
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK, Outcome.OK);
  }

  @Test
  void aGridWhoseProductDoesNotTellIsNotJudged() {
    FakeRun run = attached();
    Answer unknown = new Answer.Servers(Optional.empty());
    run.grid().answers("agent-0", Command.CountServers.class, 0, 100, unknown);
    assertThat(run.run(FakeRun.blocksOf(1, "put")))
        .extracting(TrialRecord::outcome)
        .containsExactly(Outcome.OK);
  }
}
