package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.message.Messages;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * The wait for a step of a process's start, which a loaded machine makes slow: beyond its usual
 * time for as long as the process uses CPU time, {@link CoreSettings#MAX_START} at most. Where its
 * CPU time cannot be read, the usual time alone counts.
 */
public final class StartWait {
  private static final Duration MAX = CoreSettings.MAX_START;

  /** From one look at the CPU time to the next. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** CPU time in one look that means work, in seconds: an idle JVM uses less. */
  private static final double WORK_SECONDS = 0.05 * LOOK.toSeconds();

  private StartWait() {}

  /** Sends a command that is a step of a start to several processes at once; waits for all. */
  public static <A extends Answer> List<A> requestAll(
      List<ManagedProcess> processes, IntFunction<Command> command, Class<A> kind, Duration usual) {
    return ManagedProcess.requestAll(
        processes, command, kind, (process, answer, step) -> await(process, answer, step, usual));
  }

  /**
   * Waits for a step, and kills the process if it takes too long.
   *
   * @param step for the error message: {@code node-0 did not … within 90 s}
   */
  static <T> T await(
      ManagedProcess process, CompletableFuture<T> future, String step, Duration usual) {
    long begun = process.time().nanoTime();
    OptionalDouble before = OptionalDouble.empty();
    for (Duration wait = usual; ; wait = LOOK) {
      try {
        return process.get(future, wait);
      } catch (TimeoutException late) {
        OptionalDouble now = process.cpuSeconds();
        double waited = process.time().secondsSince(begun);
        boolean works =
            now.isPresent()
                && (before.isEmpty() || now.getAsDouble() - before.getAsDouble() >= WORK_SECONDS);
        if (!works || waited >= MAX.toSeconds()) {
          process.kill();
          throw WorkerException.lost(
              "coordinator.no-start-in-time",
              process.name(),
              step,
              waited,
              circumstances(works, now));
        }
        before = now;
      }
    }
  }

  private static String circumstances(boolean works, OptionalDouble cpuSeconds) {
    String cpu =
        cpuSeconds.isEmpty()
            ? ""
            : String.format(
                Locale.ROOT,
                " after %.1f s of CPU time, %s",
                cpuSeconds.getAsDouble(),
                works ? "still working" : "idle");
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    int cpus = Cpus.allowed().size();
    return load <= cpus ? cpu : Messages.format("coordinator.load-average", cpu, load, cpus);
  }
}
