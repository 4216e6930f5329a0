package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.MachineReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Reads once a second how much CPU time the processes of a trial have used, and the machine. No
 * answer is waited for, so that a process that is slow or gone delays nothing: its readings are
 * missing.
 */
final class CpuOverTime {
  private static final double EVERY_SECONDS = 1;

  private final Cluster cluster;
  private final Time time;
  private final HostClocks clocks;
  private final Supplier<MachineReading> machine;
  private final long begun;
  private final Map<String, List<Reading>> readings = new TreeMap<>();
  private final List<Machine> machineReadings = new ArrayList<>();
  private double due;

  /**
   * What stood at one moment.
   *
   * @param of the process, as one that is started again has the name of the one before
   * @param seconds since the begin
   */
  private record Reading(
      ManagedProcess of, double seconds, Answer.Cpu cpu, double throttledSeconds) {}

  private record Machine(double seconds, MachineReading.Cpu cpu) {}

  /** Begins now. */
  CpuOverTime(Cluster cluster, Time time, HostClocks clocks, Supplier<MachineReading> machine) {
    this.cluster = cluster;
    this.time = time;
    this.clocks = clocks;
    this.machine = machine;
    this.begun = time.nanoTime();
    read();
  }

  /** Reads if the last time is a second ago. */
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
    due = time.secondsSince(begun) + EVERY_SECONDS;
    machine
        .get()
        .cpu()
        .ifPresent(cpu -> machineReadings.add(new Machine(time.secondsSince(begun), cpu)));
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
        new Reading(
            process, time.secondsSince(begun), cpu, process.throttledSeconds().orElse(Double.NaN)));
  }

  /** What was read so far, by process, then by time. */
  synchronized List<Interval> intervals() {
    List<Interval> intervals = new ArrayList<>();
    readings.forEach(
        (process, read) -> {
          for (int i = 1; i < read.size(); i++) {
            Reading from = read.get(i - 1);
            Reading to = read.get(i);
            if (from.of != to.of) {
              // A server that was started again counts from zero.
              continue;
            }
            add(intervals, process, What.USED, from, to, to.cpu.seconds() - from.cpu.seconds());
            double compiled = to.cpu.compilerSeconds() - from.cpu.compilerSeconds();
            add(intervals, process, What.COMPILED, from, to, compiled);
            double throttled = to.throttledSeconds - from.throttledSeconds;
            if (!Double.isNaN(throttled)) {
              add(intervals, process, What.THROTTLED, from, to, throttled);
            }
          }
        });
    for (int i = 1; i < machineReadings.size(); i++) {
      Machine from = machineReadings.get(i - 1);
      Machine to = machineReadings.get(i);
      double stolen = to.cpu.steal() - from.cpu.steal();
      intervals.add(machine(from, to, What.STOLEN, stolen));
      if (cluster.everyone().stream().allMatch(each -> cluster.spec().hostOf(each).local())) {
        double others = to.cpu.busy() - from.cpu.busy() - own(intervals, from.seconds, to.seconds);
        intervals.add(machine(from, to, What.OTHERS, Math.max(0, others)));
      }
    }
    return intervals;
  }

  private static void add(
      List<Interval> to, String process, What what, Reading from, Reading until, double seconds) {
    double length = until.seconds - from.seconds;
    if (length > 0) {
      to.add(interval(from.seconds, until.seconds, process, what, seconds));
    }
  }

  private static Interval machine(Machine from, Machine to, What what, double seconds) {
    return interval(from.seconds, to.seconds, CpuLog.MACHINE, what, seconds);
  }

  private static Interval interval(
      double from, double to, String process, What what, double seconds) {
    return new Interval(rounded(from), rounded(to), process, what, rounded(seconds / (to - from)));
  }

  /** To tenths of a millisecond, finer than any of the counters. */
  private static double rounded(double seconds) {
    return Math.round(seconds * 1e4) / 1e4;
  }

  /** CPU seconds of the trial's processes from one moment to another. */
  private static double own(List<Interval> intervals, double from, double to) {
    return intervals.stream()
        .filter(each -> each.what() == What.USED)
        .mapToDouble(
            each ->
                each.cpus() * Math.max(0, Math.min(to, each.to()) - Math.max(from, each.from())))
        .sum();
  }
}
