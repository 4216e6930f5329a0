package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.journal.Check;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.MachineReading;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TrialMachineTest {
  private static final MachineReading QUIET = machine("here", 1, 0, 0);

  private static final Function<String, Optional<String>> HOSTS =
      process ->
          process.equals("agent-0")
              ? Optional.empty()
              : Optional.of("w" + process.split("-", -1)[1]);

  /** Over five seconds on two cores. */
  private static MachineReading machine(String boot, double busy, double steal, long throttled) {
    return new MachineReading(
        boot,
        Optional.of(new MachineReading.Cpu(2, busy, steal, 10)),
        Optional.of(new MachineReading.Throttled(throttled, 0)),
        Optional.of(0.0),
        5_000,
        5_000_000_000L);
  }

  private static Answer.Used process(double cpuSeconds, MachineReading machine) {
    return new Answer.Used(
        cpuSeconds, 0, 1, 0, 5, 0, 0, 0, 2, "0-1", Answer.Inside.NONE, Optional.of(machine));
  }

  private static List<String> disturbed(MachineReading here, Map<String, Answer.Used> processes) {
    return TrialMachine.of(new ProcessUsage(processes), here, HOSTS).stream()
        .flatMap(machine -> machine.checks(Set.of()).stream())
        .filter(Check::disturbed)
        .map(Check::words)
        .toList();
  }

  @Test
  void eachMachineIsJudgedByItsOwnCounters() {
    Map<String, Answer.Used> processes =
        Map.of(
            "agent-0", process(0, QUIET),
            "node-0", process(4, machine("a", 5, 0, 0)),
            "node-1", process(1, machine("b", 5, 0, 0)),
            "node-2", process(4, machine("c", 5, 1, 2)));
    assertThat(disturbed(QUIET, processes))
        .containsExactlyInAnyOrder("other processes of w1", "steal of w2", "CPU quota of w2");
    assertThat(disturbed(machine("here", 9, 0, 0), processes))
        .as("what nodes on other machines use explains nothing here")
        .contains("other processes");
  }

  /** Over four of the five seconds, as processes of a busy machine answer late. */
  @Test
  void whatAProcessUsedBeforeItWasReadIsNotThatOfOthers() {
    MachineReading late =
        new MachineReading(
            "here",
            Optional.of(new MachineReading.Cpu(2, 8, 0, 8)),
            Optional.empty(),
            Optional.of(0.0),
            4_000,
            4_000_000_000L);
    Map<String, Answer.Used> processes =
        Map.of("agent-0", process(3, late), "node-0", process(3, late));
    assertThat(disturbed(machine("here", 10, 0, 0), processes)).isEmpty();
    Map<String, Answer.Used> idle = Map.of("agent-0", process(2, late), "node-0", process(2, late));
    assertThat(disturbed(machine("here", 10, 0, 0), idle)).containsExactly("other processes");
  }

  @Test
  void hostsOfOneKernelAreOneMachine() {
    Map<String, Answer.Used> processes =
        Map.of(
            "node-0", process(3, machine("a", 5, 0, 0)),
            "node-1", process(0, machine("a", 5, 0, 7)));
    List<TrialMachine> machines = TrialMachine.of(new ProcessUsage(processes), QUIET, HOSTS);
    assertThat(machines)
        .extracting(TrialMachine::host)
        .containsExactly(Optional.empty(), Optional.of("w0, w1"));
    assertThat(disturbed(QUIET, processes))
        .as("their processes explain what the machine did")
        .containsExactly("CPU quota of w0, w1");
  }

  /** A host that does not know its kernel's boot is not taken for this machine. */
  @Test
  void aSystemWithoutABootIdIsAMachineForEachHost() {
    MachineReading other =
        new MachineReading(
            "", Optional.empty(), Optional.empty(), Optional.empty(), 5_100, 5_000_000_000L);
    assertThat(disturbed(QUIET, Map.of("node-0", process(1, other), "node-1", process(1, other))))
        .containsExactlyInAnyOrder("clock step of w0", "clock step of w1");
  }
}
