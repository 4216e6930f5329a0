package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.MachineReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reads once a second how much CPU time the processes of a trial have used, and the machines that
 * they run on, those of other hosts by one of the processes there. No answer is waited for, so that
 * a process that is slow or gone delays nothing: its readings are missing.
 */
final class CpuOverTime {
  private static final double EVERY_SECONDS = 1;

  private final Cluster cluster;
  private final Time time;
  private final HostClocks clocks;
  private final Supplier<MachineReading> machine;
  private final MachineReading here;
  private final long begun;
  private final Map<String, List<Reading>> readings = new TreeMap<>();
  private final List<OfMachine> readHere = new ArrayList<>();
  private double due;

  /**
   * Reading at one moment.
   *
   * @param of the process, as one that is started again has the name of the one before
   * @param seconds since the begin
   * @param throttledSeconds by a quota of its own
   */
  private record Reading(
      ManagedProcess of, double seconds, Answer.Cpu cpu, Optional<Double> throttledSeconds) {

    Optional<OfMachine> machine() {
      return cpu.machine().flatMap(MachineReading::cpu).map(read -> new OfMachine(seconds, read));
    }

    double throttledOfContainer() {
      return cpu.machine()
          .flatMap(MachineReading::throttled)
          .map(MachineReading.Throttled::seconds)
          .orElse(0.0);
    }
  }

  private record OfMachine(double seconds, MachineReading.Cpu cpu) {}

  CpuOverTime(Cluster cluster, Time time, HostClocks clocks, Supplier<MachineReading> machine) {
    this.cluster = cluster;
    this.time = time;
    this.clocks = clocks;
    this.machine = machine;
    this.here = machine.get();
    this.begun = time.nanoTime();
    read();
  }

  void readIfDue() {
    if (time.secondsSince(begun) >= due) {
      read();
    }
  }

  /**
   * Reads for the last time, unless the last reading was just now: over so short a time the
   * counters are too coarse. What is sent to a process after this is answered after it.
   */
  void end() {
    if (time.secondsSince(begun) >= due - EVERY_SECONDS / 2) {
      read();
    }
  }

  private void read() {
    double now = time.secondsSince(begun);
    due = now + EVERY_SECONDS;
    machine.get().cpu().ifPresent(cpu -> readHere.add(new OfMachine(now, cpu)));
    for (ManagedProcess process : cluster.everyone()) {
      CompletableFuture<Void> unused =
          clocks
              .ask(process)
              .thenAccept(
                  answer -> {
                    if (answer instanceof Answer.Cpu cpu) {
                      add(process, cpu);
                    }
                  });
    }
  }

  private synchronized void add(ManagedProcess process, Answer.Cpu cpu) {
    ListsByKey.add(
        readings,
        process.name(),
        new Reading(process, time.secondsSince(begun), cpu, process.throttledSeconds()));
  }

  /** Intervals read so far, by process, then by machine, and by time. */
  synchronized List<Interval> intervals() {
    List<Interval> intervals = new ArrayList<>();
    Map<String, List<String>> byMachine = new TreeMap<>();
    byMachine.put(here.boot(), new ArrayList<>());
    readings.forEach(
        (process, read) -> {
          addProcess(intervals, process, read);
          String on =
              TrialMachine.machine(
                  read.get(0).cpu.machine(),
                  TrialMachine.elsewhere(cluster.spec().hostOf(process)),
                  here);
          ListsByKey.add(byMachine, on, process);
        });
    byMachine.forEach(
        (boot, processes) -> {
          List<Interval> own =
              intervals.stream().filter(each -> processes.contains(each.process())).toList();
          if (boot.equals(here.boot())) {
            addMachine(intervals, CpuLog.MACHINE, readHere, own);
          } else {
            addMachine(intervals, nameOf(processes), readBy(processes), own);
          }
        });
    return intervals;
  }

  private String nameOf(List<String> processes) {
    return processes.stream()
        .map(process -> cluster.spec().hostOf(process).name())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", ", CpuLog.MACHINE + " ", ""));
  }

  /** A machine by that of its processes which told most often. */
  private List<OfMachine> readBy(List<String> processes) {
    return processes.stream()
        .map(process -> readings.getOrDefault(process, List.of()).stream())
        .map(read -> read.flatMap(each -> each.machine().stream()).toList())
        .max(Comparator.comparingInt(List::size))
        .orElse(List.of());
  }

  private static void addProcess(List<Interval> to, String process, List<Reading> read) {
    for (int i = 1; i < read.size(); i++) {
      Reading from = read.get(i - 1);
      Reading until = read.get(i);
      if (from.of != until.of || until.seconds <= from.seconds) {
        // A server that was started again counts from zero.
        continue;
      }
      Map<What, Double> seconds = new LinkedHashMap<>();
      seconds.put(What.USED, until.cpu.seconds() - from.cpu.seconds());
      seconds.put(What.COMPILED, until.cpu.compilerSeconds() - from.cpu.compilerSeconds());
      if (from.throttledSeconds.isPresent() && until.throttledSeconds.isPresent()) {
        seconds.put(What.THROTTLED, until.throttledSeconds.get() - from.throttledSeconds.get());
      } else if (until.throttledOfContainer() > from.throttledOfContainer()) {
        seconds.put(What.THROTTLED, until.throttledOfContainer() - from.throttledOfContainer());
      }
      add(to, process, from.seconds, until.seconds, seconds, Optional.empty());
    }
  }

  /**
   * @param own of the trial's processes on this machine
   */
  private static void addMachine(
      List<Interval> to, String name, List<OfMachine> read, List<Interval> own) {
    for (int i = 1; i < read.size(); i++) {
      OfMachine from = read.get(i - 1);
      OfMachine until = read.get(i);
      if (until.seconds <= from.seconds) {
        continue;
      }
      Map<What, Double> seconds = new LinkedHashMap<>();
      double busy = until.cpu.busy() - from.cpu.busy();
      seconds.put(What.OTHERS, Math.max(0, busy - used(own, from.seconds, until.seconds)));
      seconds.put(What.STOLEN, until.cpu.steal() - from.cpu.steal());
      add(to, name, from.seconds, until.seconds, seconds, Optional.of(until.cpu.cpus()));
    }
  }

  private static void add(
      List<Interval> to,
      String name,
      double from,
      double until,
      Map<What, Double> seconds,
      Optional<Integer> ofCpus) {
    seconds.forEach(
        (what, each) -> {
          double cpus = rounded(each / (until - from));
          to.add(new Interval(rounded(from), rounded(until), name, what, cpus, ofCpus));
        });
  }

  /** To tenths of a millisecond, finer than any of the counters. */
  private static double rounded(double seconds) {
    return Math.round(seconds * 1e4) / 1e4;
  }

  private static double used(List<Interval> intervals, double from, double to) {
    return intervals.stream()
        .filter(each -> each.what() == What.USED)
        .mapToDouble(
            each ->
                each.cpus() * Math.max(0, Math.min(to, each.to()) - Math.max(from, each.from())))
        .sum();
  }
}
