package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.machine.OtherProcesses;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What disturbed the machines of a trial from outside over its measured part.
 *
 * @param checks of all machines
 * @param programs where other processes disturbed the coordinator's machine: what each program used
 *     of its CPU time, by {@link Metric#OTHER_PROGRAM}
 */
public record Disturbances(List<Check> checks, Map<String, Metric> programs) {

  /**
   * @param before the other processes when the measured part began
   * @param withQuotas names of processes that have a CPU quota
   */
  static Disturbances of(
      List<TrialMachine> machines, OtherProcesses before, Set<String> withQuotas) {
    Map<String, Metric> programs = new TreeMap<>();
    for (TrialMachine machine : machines) {
      if (machine.host().isEmpty() && byOthers(machine.checks(withQuotas))) {
        double all = machine.over().cpu().orElseThrow().total();
        OtherProcesses.now()
            .secondsSince(before)
            .forEach(
                (program, seconds) ->
                    programs.put(
                        Metric.OTHER_PROGRAM + program, Metric.neutral(100 * seconds / all, "%")));
      }
    }
    return new Disturbances(
        machines.stream().flatMap(machine -> machine.checks(withQuotas).stream()).toList(),
        programs);
  }

  private static boolean byOthers(List<Check> checks) {
    return checks.stream()
        .anyMatch(check -> check.disturbed() && check.name().equals(Check.OTHER_PROCESSES));
  }
}
