package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuaranteeProbesTest extends RunFixture {
  @ParameterizedTest
  @ValueSource(strings = {"BeginProbe", "EndProbe"})
  void aProbeThatFailsIsRecordedWithItsReasonAndTheNextIsMadeOnFreshProcesses(String name) {
    Class<? extends Command> command =
        name.equals("EndProbe") ? Command.EndProbe.class : Command.BeginProbe.class;
    run.probes(ProbeKind.ORDER, ProbeKind.READ).grid().dies("agent-0", command, 0);
    RunFolder folder = run.recorded(FakeRun.blocksOf(1, "put"));
    List<ProbeResult> probes = folder.probes();
    assertThat(probes)
        .extracting(ProbeResult::probe)
        .containsExactly(ProbeKind.ORDER, ProbeKind.READ);
    assertThat(probes.get(0).why()).contains("agent-0 was killed (exit code 137).");
    assertThat(probes.get(0).found()).isEmpty();
    assertThat(probes.get(1).why()).isEmpty();
    assertThat(probes.get(1).found()).isPresent();
    assertThat(run.grid().started("agent-0")).hasSize(2);
    assertThat(run.grid().living()).isEmpty();
  }

  @Test
  void treatmentsThatDifferInRateAndTimesAloneShareAProbe() {
    Settings settings = FakeRun.settings("put");
    List<Group> one =
        List.of(
            new Group(
                0,
                settings,
                List.of(
                    offered(0, "full speed", settings),
                    offered(1, "500/s", settings.with("rate", 500.0).with("measure", 5.0)),
                    offered(2, "two threads", settings.with("threads", 2)))));
    run.probes(ProbeKind.ORDER).grid().dies("agent-0", Command.BeginProbe.class, 0);
    RunFolder folder = run.recorded(one);
    assertThat(folder.probes())
        .extracting(probe -> probe.levels().get("rate"))
        .containsExactly("full speed", "500/s", "two threads");
    assertThat(folder.probes())
        .as("the first, which failed, is that of two treatments")
        .extracting(probe -> probe.found().isPresent())
        .containsExactly(false, false, true);
  }

  private static TrialSpec offered(int ordinal, String rate, Settings settings) {
    return FakeRun.trial(ordinal, 0, "put", settings)
        .at("000" + ordinal, ordinal, Map.of("rate", rate));
  }

  @Test
  void probesOfAGridThatDoesNotStartAgainAreGivenUpWithTheReason() {
    run.probes(ProbeKind.ORDER, ProbeKind.READ)
        .grid()
        .dies("agent-0", Command.EndProbe.class, 0)
        .refuses("node-0", Command.StartServer.class, 1, 2, "The disk is full.");
    RunFolder folder = run.recorded(FakeRun.blocksOf(1, "put"));
    assertThat(folder.probes().get(1).why()).contains("node-0: The disk is full.");
    assertThat(folder.trials()).extracting(TrialRecord::outcome).containsExactly(Outcome.OK);
  }

  @Test
  void aTreatmentThatNeverWorkedIsNotProbed() {
    run.probes(ProbeKind.ORDER).grid().refuses("agent-0", Command.Prepare.class, 0, 2, "No.");
    RunFolder folder = run.recorded(FakeRun.blocksOf(1, "put"));
    assertThat(folder.probes()).isEmpty();
    assertThat(run.grid().told(Command.BeginProbe.class)).isEmpty();
  }
}
