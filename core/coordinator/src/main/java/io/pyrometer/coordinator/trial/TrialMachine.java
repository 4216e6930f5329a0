package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.machine.MachineWatch;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.journal.Check;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.MachineReading;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One machine over the measured part of a trial, and the trial's processes on it. Hosts with the
 * same kernel, such as network namespaces or pods, are one machine.
 *
 * @param host the names of its hosts; empty for the coordinator's machine
 * @param over by how much its counters rose
 * @param processes by name
 */
public record TrialMachine(
    Optional<String> host, MachineReading over, Map<String, Answer.Used> processes) {
  private static final double LONGEST_STRETCH = 1.5;

  /** The coordinator's machine, and then every other one. */
  static List<TrialMachine> of(
      ProcessUsage used, MachineReading here, Function<String, Optional<String>> hostOf) {
    Map<String, Map<String, Answer.Used>> byMachine = new LinkedHashMap<>();
    byMachine.put(here.boot(), new TreeMap<>());
    used.byProcess()
        .forEach(
            (name, process) ->
                byMachine
                    .computeIfAbsent(
                        machine(process.machine(), hostOf.apply(name), here),
                        boot -> new TreeMap<>())
                    .put(name, process));
    return byMachine.entrySet().stream()
        .map(
            machine ->
                machine.getKey().equals(here.boot())
                    ? new TrialMachine(
                        Optional.empty(), throttled(here, machine.getValue()), machine.getValue())
                    : elsewhere(machine.getValue(), hostOf))
        .toList();
  }

  /** The kernel's boot; where a system has none, each host is a machine. */
  static String machine(Optional<MachineReading> read, Optional<String> host, MachineReading here) {
    return read.map(MachineReading::boot)
        .filter(boot -> !boot.isEmpty())
        .or(() -> host)
        .orElse(here.boot());
  }

  /** The name of a host that is not this machine. */
  static Optional<String> elsewhere(Host host) {
    return host.local() ? Optional.empty() : Optional.of(host.name());
  }

  /** Read by the process that was there longest. */
  private static TrialMachine elsewhere(
      Map<String, Answer.Used> processes, Function<String, Optional<String>> hostOf) {
    Set<String> hosts = new TreeSet<>();
    processes.keySet().forEach(name -> hosts.add(hostOf.apply(name).orElse(Host.LOCAL.name())));
    MachineReading longest =
        processes.values().stream()
            .flatMap(process -> process.machine().stream())
            .max(Comparator.comparingLong(MachineReading::nanos))
            .orElse(NOTHING);
    return new TrialMachine(
        Optional.of(String.join(", ", hosts)), throttled(longest, processes), processes);
  }

  private static final MachineReading NOTHING =
      new MachineReading("", Optional.empty(), Optional.empty(), Optional.empty(), 0, 0);

  /** The CPU quota is that of a container, of which one machine may have several. */
  private static MachineReading throttled(MachineReading over, Map<String, Answer.Used> processes) {
    return new MachineReading(
        over.boot(),
        over.cpu(),
        processes.values().stream()
            .flatMap(process -> process.machine().flatMap(MachineReading::throttled).stream())
            .max(Comparator.comparingLong(MachineReading.Throttled::times))
            .filter(most -> over.throttled().filter(its -> its.times() >= most.times()).isEmpty())
            .or(over::throttled),
        over.pressure(),
        over.wallMillis(),
        over.nanos());
  }

  /**
   * The factor from what a process used while it was watched to what it used while the machine was:
   * processes of a busy machine are read one after the other, each late.
   */
  double stretch(Answer.Used process) {
    return process
        .machine()
        .map(read -> (double) over.nanos() / read.nanos())
        .filter(factor -> factor < LONGEST_STRETCH) // one that was started meanwhile
        .orElse(1.0);
  }

  /**
   * Checks for what disturbed it from outside.
   *
   * @param withQuotas names of processes that have a CPU quota
   */
  public List<Check> checks(Set<String> withQuotas) {
    double own =
        processes.values().stream()
            .mapToDouble(
                process -> stretch(process) * (process.cpuSeconds() + process.supervisorSeconds()))
            .sum();
    boolean quotas = processes.keySet().stream().anyMatch(withQuotas::contains);
    return MachineWatch.checks(over, own, quotas).stream().map(check -> check.of(host)).toList();
  }
}
