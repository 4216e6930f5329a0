package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.Settings;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How busy one machine was over the measured part of a trial, and by which of its processes.
 *
 * @param seconds CPU time of all CPUs, without what a hypervisor took
 * @param busySeconds CPU time of all processes
 * @param byKind CPU seconds of the trial's own processes by kind, such as {@code node}
 * @param apart whether limits keep the trial's processes from taking CPU time from each other
 */
record MachineLoad(double seconds, double busySeconds, Map<String, Double> byKind, boolean apart) {

  /** The machine of which the trial's own processes used the largest share; empty if unknown. */
  static Optional<MachineLoad> busiest(List<TrialMachine> machines, Settings settings) {
    return machines.stream()
        .flatMap(machine -> of(machine, settings).stream())
        .max(Comparator.comparingDouble(MachineLoad::ownShare));
  }

  /** Empty where the machine does not tell, or runs none of the trial's processes. */
  static Optional<MachineLoad> of(TrialMachine machine, Settings settings) {
    Map<String, Answer.Used> processes = machine.processes();
    Map<String, Double> byKind = new TreeMap<>();
    processes.forEach(
        (name, process) -> {
          double stretch = machine.stretch(process);
          byKind.merge(ManagedProcess.kindOf(name), stretch * process.cpuSeconds(), Double::sum);
          if (process.supervisorSeconds() > 0) {
            byKind.merge("supervisor", stretch * process.supervisorSeconds(), Double::sum);
          }
        });
    return machine
        .over()
        .cpu()
        .filter(cpu -> !processes.isEmpty() && cpu.total() > cpu.steal())
        .map(
            cpu ->
                new MachineLoad(
                    cpu.total() - cpu.steal(),
                    cpu.busy(),
                    byKind,
                    processes.size() == 1
                        || disjoint(processes.values())
                        || withinQuotas(processes.keySet(), settings, cpu.cpus())));
  }

  /** Returns whether every process is bound to CPUs that no other one may use. */
  private static boolean disjoint(Collection<Answer.Used> processes) {
    List<String> allowed = processes.stream().map(Answer.Used::cpusAllowed).toList();
    List<Integer> cpus =
        allowed.stream().flatMap(each -> MachineReading.processors(each).stream()).toList();
    return !allowed.contains("") && Set.copyOf(cpus).size() == cpus.size();
  }

  /** Returns whether every process has a CPU quota and the machine has CPUs for all of them. */
  private static boolean withinQuotas(Set<String> processes, Settings settings, int cpus) {
    List<Double> quotas =
        processes.stream().map(process -> quota(ManagedProcess.kindOf(process), settings)).toList();
    return !quotas.contains(0.0) && quotas.stream().mapToDouble(each -> each).sum() <= cpus;
  }

  private static double quota(String kind, Settings settings) {
    return kind.equals(ManagedProcess.NODE) || kind.equals(ManagedProcess.AGENT)
        ? settings.get(CoreSettings.OfProcess.of(kind).cpus())
        : 0;
  }

  private double ownSeconds() {
    return byKind.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private double otherSeconds() {
    return Math.max(0, busySeconds - ownSeconds());
  }

  /** The trial's own CPU time as a share of what other processes left. */
  double ownShare() {
    double left = Math.max(seconds - otherSeconds(), 1e-9);
    return Math.min(1, ownSeconds() / left);
  }

  /** Shares of the machine's CPU time in percent: all processes, the trial's by kind, others. */
  Map<String, Metric> metrics(String prefix) {
    Map<String, Metric> metrics = new TreeMap<>();
    metrics.put(prefix + "busy", percent(Math.max(busySeconds, ownSeconds())));
    metrics.put(prefix + "other", percent(otherSeconds()));
    byKind.forEach((kind, own) -> metrics.put(prefix + kind + "s", percent(own)));
    return metrics;
  }

  private Metric percent(double part) {
    return Metric.neutral(100 * Math.min(1, part / seconds), "%");
  }

  /** Check whether the trial's own processes saturate the machine without limits of their own. */
  Check check() {
    double limit = ValidityLimits.USUAL.ownCpu();
    double share = ownShare();
    return new Check(Check.OVERSUBSCRIBED, share * 100, limit * 100, "%", share >= limit && !apart);
  }
}
