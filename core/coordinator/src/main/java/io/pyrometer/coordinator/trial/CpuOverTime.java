package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.MachineReading;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
  private final Supplier<MachineReading> machine;
  private final long begun;
  private final Map<String, List<Reading>> readings = new TreeMap<>();
  private final List<Machine> machineReadings = new ArrayList<>();
  private final Map<String, Clock> clocks = new TreeMap<>();
  private double due;

  /**
   * What stood at one moment.
   *
   * @param of the process, as one that is started again has the name of the one before
   * @param seconds since the begin
   */
  private record Reading(
      ManagedProcess of, double seconds, Answer.Cpu cpu, double throttledSeconds) {}

  /**
   * The wall clock of a process's host, which the process read at some moment between the
   * coordinator's command and its answer.
   *
   * @param aheadMicros of the coordinator's, were it read half-way
   * @param errorMicros the most that this can be wrong by: half the time between the two
   */
  record Clock(double aheadMicros, double errorMicros) {
    static Clock of(Instant sent, Instant received, long epochMicros) {
      double from = ChronoUnit.MICROS.between(Instant.EPOCH, sent);
      double to = ChronoUnit.MICROS.between(Instant.EPOCH, received);
      return new Clock(epochMicros - (from + to) / 2, (to - from) / 2);
    }
  }

  private record Machine(double seconds, MachineReading.Cpu cpu) {}

  /** Begins now. */
  CpuOverTime(Cluster cluster, Time time, Supplier<MachineReading> machine) {
    this.cluster = cluster;
    this.time = time;
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
    Instant sent = time.now();
    for (ManagedProcess process : cluster.everyone()) {
      CompletableFuture<Void> unused =
          process
              .send(new Command.ReadCpu())
              .thenAccept(
                  answer -> {
                    if (answer instanceof Answer.Cpu cpu) {
                      add(process, cpu, Clock.of(sent, time.now(), cpu.epochMicros()));
                    }
                  });
    }
  }

  private synchronized void add(ManagedProcess process, Answer.Cpu cpu, Clock clock) {
    if (!cluster.spec().hostOf(process).local()) {
      clocks.merge(process.name(), clock, (a, b) -> a.errorMicros() <= b.errorMicros() ? a : b);
    }
    ListsByKey.add(
        readings,
        process.name(),
        new Reading(
            process, time.secondsSince(begun), cpu, process.throttledSeconds().orElse(Double.NaN)));
  }

  /**
   * The clock of each process on another host, from the reading with the smallest error; those that
   * are absent share the coordinator's.
   */
  synchronized Map<String, Clock> clocks() {
    return Map.copyOf(clocks);
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
