package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineLoadTest {
  private static final double SECONDS = 10;

  private static Answer.Used process(double cpuSeconds, String cpus, MachineReading machine) {
    return new Answer.Used(
        cpuSeconds, 0, 0, 0, SECONDS, 0, 0, 0, 2, cpus, Answer.Inside.NONE, Optional.of(machine));
  }

  private static MachineReading machine(String boot, double busy) {
    return new MachineReading(
        boot,
        Optional.of(new MachineReading.Cpu(2, busy, 0, 2 * SECONDS)),
        Optional.empty(),
        Optional.empty(),
        (long) (SECONDS * 1e3),
        (long) (SECONDS * 1e9));
  }

  private static Optional<MachineLoad> busiest(
      Settings settings, Map<String, Answer.Used> processes) {
    List<TrialMachine> machines =
        TrialMachine.of(
            new ProcessUsage(processes), machine("coordinator", 1), it -> Optional.of("far"));
    return MachineLoad.busiest(machines, settings);
  }

  private static MachineLoad of(Settings settings, Map<String, Answer.Used> processes) {
    return busiest(settings, processes).orElseThrow();
  }

  private static MachineLoad of(Map<String, Answer.Used> processes) {
    return of(Settings.NONE, processes);
  }

  private static double value(MachineLoad load, String figure) {
    return load.metrics("machine.").get("machine." + figure).value();
  }

  @Test
  void ownProcessesThatUseUpTheMachineAreOversubscribed() {
    MachineReading busy = machine("a", 19);
    MachineLoad load =
        of(Map.of("node-0", process(10, "0-1", busy), "agent-0", process(8, "0-1", busy)));
    assertThat(load.check().disturbed()).isTrue();
    assertThat(load.check().fromOutside()).isFalse();
    assertThat(value(load, "nodes")).isEqualTo(50, within(1e-9));
    assertThat(value(load, "agents")).isEqualTo(40, within(1e-9));
    assertThat(value(load, "other")).isEqualTo(5, within(1e-9));
  }

  @Test
  void whatOthersUseIsNotLeftToTheTrial() {
    MachineReading busy = machine("a", 20);
    MachineLoad load =
        of(Map.of("node-0", process(4, "0-1", busy), "agent-0", process(2, "0-1", busy)));
    assertThat(value(load, "busy")).isEqualTo(100, within(1e-9));
    // 6 of the 20 s are the trial's, 14 are others': all that was left was used.
    assertThat(load.check().value()).isEqualTo(100, within(1e-9));
    MachineLoad idle =
        of(
            Map.of(
                "node-0", process(4, "0-1", machine("a", 12)),
                "agent-0", process(2, "0-1", machine("a", 12))));
    assertThat(idle.check().disturbed()).isFalse();
  }

  @Test
  void processesOnMachinesOfTheirOwnAreJudgedMachineByMachine() {
    MachineLoad load =
        of(
            Map.of(
                "node-0", process(10, "0-1", machine("a", 10)),
                "agent-0", process(10, "0-1", machine("b", 11))));
    assertThat(load.check().disturbed()).isFalse();
  }

  @Test
  void aServerThatJoinedLaterIsOneOfTheServers() {
    MachineReading busy = machine("a", 19);
    MachineLoad load =
        of(
            quotas(0.5, 0.5),
            Map.of(
                "node-0", process(5, "0-1", busy),
                "node-1-later", process(5, "0-1", machine("a", 0)),
                "agent-0", process(8, "0-1", busy)));
    assertThat(value(load, "nodes")).isEqualTo(50, within(1e-9));
    assertThat(load.check().disturbed()).as("quotas of all fit the machine").isFalse();
  }

  @Test
  void limitsThatKeepProcessesApartAreNoOversubscription() {
    MachineReading busy = machine("a", 20);
    Map<String, Answer.Used> apart =
        Map.of("node-0", process(10, "0", busy), "agent-0", process(10, "1", busy));
    assertThat(of(apart).check().disturbed()).isFalse();
    Map<String, Answer.Used> both =
        Map.of("node-0", process(10, "0-1", busy), "agent-0", process(9, "0-1", busy));
    assertThat(of(quotas(1, 1), both).check().disturbed()).isFalse();
    assertThat(of(quotas(1.5, 1), both).check().disturbed()).isTrue();
    assertThat(of(quotas(1, 0), both).check().disturbed()).isTrue();
  }

  private static Settings quotas(double node, double agent) {
    return Settings.NONE.with("node-cpus", node).with("agent-cpus", agent);
  }

  /** As servers of others do, which are read at their JMX ports. */
  @Test
  void serversThatTellOfThemselvesAloneMakeTheirMachineBusyTogether() {
    Answer.Used agent = process(1, "0-1", machine("here", 2));
    MachineLoad two =
        of(
            Map.of(
                "node-0", process(9, "", machine("far", 9)),
                "node-1", process(8, "", machine("far", 8)),
                "agent-0", agent));
    assertThat(value(two, "busy")).isEqualTo(85, within(1e-9));
    MachineLoad one = of(Map.of("node-0", process(19, "", machine("far", 19)), "agent-0", agent));
    assertThat(value(one, "busy")).isEqualTo(95, within(1e-9));
    assertThat(one.check().disturbed()).as("no other process of the trial is there").isFalse();
  }

  @Test
  void aSystemThatDoesNotTellMakesNoClaim() {
    Answer.Used silent =
        new Answer.Used(
            10, 0, 0, 0, SECONDS, 0, 0, 0, 2, "0-1", Answer.Inside.NONE, Optional.empty());
    assertThat(busiest(Settings.NONE, Map.of("node-0", silent))).isEmpty();
  }
}
