package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.MachineReading;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The wall clocks of the processes on other hosts, each from the reading with the shortest round
 * trip. The processes of this machine share the coordinator's, those in its namespaces included.
 */
final class HostClocks {
  private final Predicate<ManagedProcess> own;
  private final MachineReading here;
  private final Time time;
  private final Map<String, Clock> known = new TreeMap<>();

  /**
   * The wall clock of a process's host, which the process read at some moment between the
   * coordinator's command and its answer.
   *
   * @param aheadMicros of the coordinator's, were it read half-way
   * @param errorMicros the most that this can be wrong by: half the time between the two, and
   *     nothing of the coordinator's own clock
   * @param tripMicros from the command to the answer
   */
  record Clock(double aheadMicros, double errorMicros, double tripMicros) {}

  /**
   * @param here a reading of this machine, by which hosts that are part of it are known
   */
  HostClocks(Predicate<ManagedProcess> own, MachineReading here, Time time) {
    this.own = own;
    this.here = here;
    this.time = time;
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  /** Asks a process for the CPU time it has used, and with it for its clock. */
  CompletableFuture<Answer> ask(ManagedProcess process) {
    double from = micros(time.now());
    return process
        .send(new Command.ReadCpu())
        .whenComplete(
            (answer, failure) -> {
              if (answer instanceof Answer.Cpu cpu && !own.test(process)) {
                double to = micros(time.now());
                double trip = to - from;
                add(
                    process.name(),
                    cpu.machine().filter(here::isOfSameMachine).isPresent()
                        ? new Clock(0, 0, trip)
                        : new Clock(cpu.epochMicros() - (from + to) / 2, trip / 2, trip));
              }
            });
  }

  private synchronized void add(String process, Clock clock) {
    known.merge(process, clock, (a, b) -> a.tripMicros() <= b.tripMicros() ? a : b);
  }

  /** Clock of a process; empty while it has not been read. */
  synchronized Optional<Clock> of(ManagedProcess process) {
    return own.test(process)
        ? Optional.of(new Clock(0, 0, 0))
        : Optional.ofNullable(known.get(process.name()));
  }

  /** Clocks of other hosts that have been read, by process. */
  synchronized Map<String, Clock> known() {
    return Map.copyOf(known);
  }
}
